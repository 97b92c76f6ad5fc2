import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importFile } from '../../../../src/guidance/catalogue/imports/import-file.ts'
import {
  UploadReader,
  type SentItem,
} from '../../../../src/guidance/catalogue/uploads/upload-thread.ts'
import type { RefusedItem } from '../../../../src/guidance/catalogue/uploads/upload.ts'
import type { ReadOptions } from '../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { OPERATOR } from '../../../../src/http/caller.ts'
import { Refusal } from '../../../../src/platform/errors.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { freshDatabase } from '../../../support/fresh-database.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'
import { zipOf } from '../../../support/zip.ts'

/** Its thread is given up in the middle of the second benchmark. */
class TiredReader extends UploadReader {
  override async *read(
    file: string,
    options: ReadOptions,
  ): AsyncGenerator<SentItem | RefusedItem, void> {
    for await (const item of super.read(file, options)) {
      if (item.kind !== 'read' || item.done === 1) yield item
      else yield { ...item, rules: (from, to) => (from === 0 ? item.rules(from, to) : tired()) }
    }
  }
}

function tired(): Promise<never> {
  return Promise.reject(new Refusal('reading_too_long', 'Reading the file takes too long.'))
}

describe('An import', () => {
  it('leaves nothing of a benchmark whose rules could not be read to the end', async () => {
    const database = await (await freshDatabase()).open()
    const reader = new TiredReader()
    const path = join(await temporaryFolder(), 'library.zip')
    const member = (release: string): string => xccdfDocument({ release, rules: 100 })
    await writeFile(path, await zipOf({ 'a.xml': member('1'), 'b.xml': member('2') }))
    const options = { options: { replace: false }, actor: OPERATOR }
    const results = []
    for await (const { result } of importFile({ database, reader }, path, options))
      results.push(result)
    await reader.close()
    expect(results).toMatchObject([
      { kind: 'imported', member: { rule_count: 100 } },
      { kind: 'refused', member: { member: 'b.xml', code: 'reading_too_long' } },
    ])
    const rules = await database.read.selectFrom('benchmark_rules').select('id').execute()
    expect(rules).toHaveLength(100)
  })
})
