import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { describe, expect, it } from 'vitest'
import { importFile } from '../../../../src/guidance/catalogue/imports/import-file.ts'
import { ReferenceReader } from '../../../../src/guidance/catalogue/reference-data/importing/reference-thread.ts'
import { UploadReader, type ReceivedItem } from '../../../../src/guidance/catalogue/uploads/upload-thread.ts'
import type { RefusedItem } from '../../../../src/guidance/catalogue/uploads/upload.ts'
import type { ReadOptions } from '../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import type { Database } from '../../../../src/guidance/database/database.ts'
import { OPERATOR } from '../../../../src/http/caller.ts'
import { Refusal } from '../../../../src/platform/errors.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { freshDatabase } from '../../../support/fresh-database.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'
import { zipOf } from '../../../support/zip.ts'

/** Its thread is given up in the middle of the second benchmark. */
class TiredReader extends UploadReader {
  override async *read(file: string, options: ReadOptions): AsyncGenerator<ReceivedItem | RefusedItem, void> {
    for await (const item of super.read(file, options)) {
      if (item.kind !== 'read' || item.done === 1) yield item
      else yield { ...item, rules: (from, to) => (from === 0 ? item.rules(from, to) : tired()) }
    }
  }
}

function tired(): Promise<never> {
  return Promise.reject(new Refusal('reading_too_long', 'Reading the file takes too long.'))
}

/** From now on, SQLite finds no room for more pages than these, as on a full disk. */
async function limitPages(database: Database, pages: number): Promise<void> {
  await database.transact(async (writer) => {
    await writer.executeQuery(CompiledQuery.raw(`pragma max_page_count = ${pages}`))
  })
}

describe('An import', () => {
  it('stores no part of a benchmark whose rules could not all be read', async () => {
    const database = await (await freshDatabase()).open()
    const reader = new TiredReader()
    const path = join(await temporaryFolder(), 'library.zip')
    const member = (release: string): string => xccdfDocument({ release, rules: 100 })
    await writeFile(path, await zipOf({ 'a.xml': member('1'), 'b.xml': member('2') }))
    const options = { options: { replace: false }, actor: OPERATOR }
    const results = []
    for await (const { result } of importFile({ database, reader, references: new ReferenceReader() }, path, options))
      results.push(result)
    await reader.close()
    expect(results).toMatchObject([
      { kind: 'imported', member: { rule_count: 100 } },
      { kind: 'refused', member: { member: 'b.xml', code: 'reading_too_long' } },
    ])
    const rules = await database.read.selectFrom('benchmark_rules').select('id').execute()
    expect(rules).toHaveLength(100)
  })

  it('stops at a zip member when the disk is full, and can be repeated', async () => {
    const database = await (await freshDatabase()).open()
    // PostgreSQL cannot be made to find its disk full here.
    if (database.dialect !== 'sqlite') return
    const reader = new UploadReader()
    const path = join(await temporaryFolder(), 'library.zip')
    const member = (release: string): string => xccdfDocument({ release, rules: 100 })
    await writeFile(path, await zipOf({ 'a.xml': member('1'), 'b.xml': member('2') }))
    const kinds = async (): Promise<readonly string[]> => {
      const options = { options: { replace: false }, actor: OPERATOR }
      const found: string[] = []
      for await (const { result } of importFile({ database, reader, references: new ReferenceReader() }, path, options))
        found.push(result.kind)
      return found
    }
    await limitPages(database, 1)
    expect((await refusalOf(kinds)).code).toBe('storage_full')
    await limitPages(database, 1_000_000)
    expect(await kinds()).toEqual(['imported', 'imported'])
    await reader.close()
  })
})
