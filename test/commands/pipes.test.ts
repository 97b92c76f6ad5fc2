import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPassphrase } from '../../src/commands/backups/passphrase.ts'
import { openBackup } from '../../src/commands/backups/unpack.ts'
import { UploadReader } from '../../src/guidance/catalogue/uploads/upload-thread.ts'
import { readDocument } from '../../src/ontology/ingest/read.ts'
import { specialKindOf } from '../../src/platform/files/file-kinds.ts'
import { temporaryFolder } from '../support/folder.ts'
import { makePipe } from '../support/pipe.ts'
import { refusalOf } from '../support/refusal.ts'

async function importFrom(file: string): Promise<void> {
  const reader = new UploadReader()
  try {
    for await (const item of reader.read(file, { documentType: undefined, version: undefined }))
      expect(item).toBeUndefined()
  } finally {
    await reader.close()
  }
}

const LIMITS = { maxBytes: 1000, timeoutMs: 1000 }

/** Everything that reads a file which an argument of a command names. */
const READERS: readonly (readonly [string, string, (file: string) => Promise<unknown>])[] = [
  ['of a passphrase', 'usage', (file) => readPassphrase(file)],
  ['of a backup', 'source_not_found', (file) => openBackup(file)],
  ['to import', 'source_not_found', importFrom],
  ['to ingest', 'source_not_found', (file) => readDocument(file, LIMITS, () => undefined)],
]

describe('A file that an argument names', () => {
  it.each(READERS)('%s refuses a pipe instead of waiting for it', async (_what, code, read) => {
    const folder = await temporaryFolder()
    const pipe = makePipe(folder)
    await symlink(pipe, join(folder, 'link'))
    for (const path of [pipe, join(folder, 'link')]) {
      const refusal = await refusalOf(() => read(path))
      expect(refusal.code).toBe(code)
      expect(refusal.message).toMatch(/is a pipe, and not a file\./)
    }
  })
})

describe('readPassphrase', () => {
  it('reads the first line, and refuses an empty one', async () => {
    const file = join(await temporaryFolder(), 'passphrase')
    await writeFile(file, 'a b \r\nsecond\n')
    expect(await readPassphrase(file)).toBe('a b ')
    await writeFile(file, '\nsecond\n')
    expect((await refusalOf(() => readPassphrase(file))).message).toContain('its first line is empty')
  })
})

describe('specialKindOf', () => {
  it('names a folder, a pipe and a device, and nothing else', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'file'), '')
    await mkdir(join(folder, 'folder'))
    makePipe(folder)
    const kinds = ['file', 'absent', 'file/below', 'folder', 'pipe'].map((name) => specialKindOf(join(folder, name)))
    expect(kinds).toEqual([null, null, null, 'a folder', 'a pipe'])
    expect(specialKindOf('/dev/null')).toBe('a device')
  })
})
