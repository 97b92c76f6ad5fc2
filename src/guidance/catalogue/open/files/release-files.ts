import type { Document } from '../../../../http/answer/answers.ts'
import { yieldPieces } from '../../../../platform/concurrency/pieces.ts'
import { catalogueOf } from '../../benchmarks/catalogues.ts'
import { rulesToCsv } from '../../benchmarks/csv.ts'
import type { StoredBenchmark } from '../../benchmarks/reader.ts'
import { cklPieces } from '../../checklists/ckl.ts'
import { cklbPieces } from '../../checklists/cklb.ts'
import type { FileEnding } from '../addresses.ts'
import { blankChecklist } from './blank-checklist.ts'

/** A form in which a release is given as a file. */
interface FileForm {
  readonly mediaType: string
  readonly write: (benchmark: StoredBenchmark) => Document['body']
}

/** The endings of files that are generated from the rules of a release. */
export const MADE_FILES = ['csv', 'ckl', 'cklb'] as const satisfies readonly FileEnding[]

export const FILE_FORMS: Readonly<Record<(typeof MADE_FILES)[number], FileForm>> = {
  csv: {
    mediaType: 'text/csv; charset=utf-8; header=present',
    write: (benchmark) => rulesToCsv(benchmark, catalogueOf(benchmark.kind), undefined),
  },
  ckl: { mediaType: 'application/xml', write: (benchmark) => yieldPieces(cklPieces(blankChecklist(benchmark))) },
  cklb: { mediaType: 'application/json', write: (benchmark) => yieldPieces(cklbPieces(blankChecklist(benchmark))) },
}
