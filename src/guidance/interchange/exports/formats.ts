import type { Document } from '../../../http/answers.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import { writeArchive } from '../archives/format/write.ts'
import { cklPieces } from './checklists/ckl.ts'
import { cklbPieces } from './checklists/cklb.ts'
import type { ExportedComponent } from './component/component.ts'
import { rulesOf, type Mode } from './component/modes.ts'
import { nameOf, writeFiles } from './files/files.ts'
import { dateOf, type ExportJob } from './files/job.ts'
import { writeProfiles } from './inspec/inspec-file.ts'
import { WORKING_COPY } from './tables/columns.ts'
import { csvPieces, type CsvRow } from './tables/csv.ts'
import { writeDisposition } from './tables/disposition-file.ts'
import { writeWorkbook } from './tables/workbook-file.ts'
import { xccdfPieces, type XccdfOptions } from './xccdf/xccdf.ts'

/** A format of exported components. */
export interface Format {
  /** Components of other kinds are left out. */
  readonly kinds: readonly BenchmarkKind[]
  /** The first one is the default. */
  readonly modes: readonly [Mode, ...Mode[]]
  readonly write: (job: ExportJob) => Document
}

const STIGS = ['stig'] as const
const BOTH = ['stig', 'srg'] as const
const CSV = 'text/csv; charset=utf-8; header=present'

/** By their names in paths. */
export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['csv', { kinds: STIGS, modes: ['working_copy'], write: writeTables }],
  ['excel', { kinds: STIGS, modes: ['working_copy', 'vendor_submission'], write: writeWorkbook }],
  ['disa_excel', { kinds: STIGS, modes: ['vendor_submission'], write: writeWorkbook }],
  ['xccdf', xccdf('1.1')],
  ['xccdf_1_2', xccdf('1.2')],
  ['inspec', { kinds: STIGS, modes: ['working_copy', 'published_stig'], write: writeProfiles }],
  ['ckl', checklist('.ckl', 'application/xml', cklPieces)],
  ['cklb', checklist('.cklb', 'application/json', cklbPieces)],
  ['json_archive', { kinds: BOTH, modes: ['working_copy'], write: writeBackup }],
  ['disposition_csv', { kinds: BOTH, modes: ['working_copy'], write: writeDisposition }],
])

function xccdf(version: XccdfOptions['version']): Format {
  return {
    kinds: BOTH,
    modes: ['published_stig', 'working_copy'],
    write: (job) =>
      writeFiles(job, {
        mediaType: 'application/xml',
        ending: version === '1.1' ? '-xccdf.xml' : '-xccdf-1.2.xml',
        pieces: (one) => xccdfPieces(one, { version, mode: one.mode, date: dateOf(one, job) }),
      }),
  }
}

function checklist(ending: string, mediaType: string, pieces: typeof cklPieces): Format {
  return {
    kinds: BOTH,
    // The modes are those of the XCCDF that the checklist belongs to.
    modes: ['published_stig', 'working_copy'],
    write: (job) =>
      writeFiles(job, {
        mediaType,
        ending,
        pieces: (one) => pieces(one, { mode: one.mode, date: dateOf(one, job) }),
      }),
  }
}

/** Everything of a component, whatever options are given; with its project if the project is exported. */
function writeBackup(job: ExportJob): Document {
  return writeArchive({
    reader: job.reader,
    includeSrg: job.includeSrg,
    includeMemberships: job.includeMemberships,
    withEmail: job.withEmail,
    now: job.now,
    componentIds: job.components.map(({ id }) => id),
    withProject: job.together !== null,
    fileName: nameOf(job),
    version: job.program,
  })
}

function writeTables(job: ExportJob): Document {
  return writeFiles(job, {
    mediaType: CSV,
    ending: '.csv',
    pieces: (one) => csvPieces(workingCopyRows(one), { mark: true }),
  })
}

function* workingCopyRows(exported: ExportedComponent & { readonly mode: Mode }): Generator<CsvRow, void> {
  yield WORKING_COPY.map(({ header }) => header)
  for (const rule of rulesOf(exported.rules, exported.mode)) yield WORKING_COPY.map(({ value }) => value(rule))
}
