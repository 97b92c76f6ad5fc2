import type { Document } from '../../../../http/answer/answers.ts'
import { yieldPieces } from '../../../../platform/concurrency/pieces.ts'
import { csvPieces, type CsvRow } from '../../../../platform/csv/csv.ts'
import { nameOf } from '../files/files.ts'
import { eachComponent, type ExportJob } from '../files/job.ts'
import { dispositionHeader, findDisposition, type DispositionOptions } from './disposition.ts'

/** The disposition of the comments of all components, in one table. */
export function writeDisposition(job: ExportJob): Document {
  return {
    mediaType: 'text/csv; charset=utf-8; header=present',
    fileName: `${nameOf(job)}-disposition.csv`,
    body: yieldPieces(piecesOf(job)),
  }
}

async function* piecesOf(job: ExportJob): AsyncGenerator<string, void> {
  const options = dispositionOptionsOf(job)
  yield* csvPieces([dispositionHeader(options)], { mark: false })
  for await (const exported of eachComponent(job)) {
    const rows: readonly CsvRow[] = await findDisposition(job.reader, exported, options)
    yield* csvPieces(rows, { mark: false })
  }
}

export function dispositionOptionsOf(job: ExportJob): DispositionOptions {
  const { comments, withEmail, groupName } = job
  return { comments, withEmail, withComponent: groupName !== null }
}
