// @module-tag database
// @module-tag node

import { open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { messageOf } from '../../../src/platform/errors.ts'
import { createLog } from '../../../src/platform/log.ts'
import { probeFolder } from '../../../src/platform/storage-watch.ts'
import { describeRefusal, storageRefusal } from '../../../src/platform/storage.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'
import { jsonOf } from '../../support/service.ts'

const log = createLog('silent')
const under = guidanceService({}, log)
const FULL = { status: 507, body: { code: 'storage_full' } }

/** Until it is called again with null, the database has no room for anything that is not there yet. */
async function limitDatabase(pages: number | null): Promise<void> {
  await alter(under(), async (writer) => {
    const pragma = `pragma max_page_count = ${pages ?? 1_000_000}`
    if (writer.dialect === 'sqlite') await writer.executeQuery(CompiledQuery.raw(pragma))
  })
}

/** Fails as a full disk does: PostgreSQL raises the error here, SQLite reports it by itself. */
async function failAsFull(): Promise<unknown> {
  const { guidance } = under().service
  return guidance.database
    .transact(async (writer) => {
      const raise = `do $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`
      const fill = `insert into sessions (digest, data, created_at, touched_at, expires_at)
        values ('big', hex(randomblob(1000000)), '', '', '')`
      const statement = writer.dialect === 'sqlite' ? fill : raise
      await writer.executeQuery(CompiledQuery.raw(statement))
    })
    .catch((error: unknown) => error)
}

describe('A database without space', () => {
  it('refuses writes with a code, is not ready, answers reads, and recovers without a restart', async () => {
    const { service } = under()
    const ada = await under().signUp('Ada')
    const client = await under().token(ada, ['read'])
    const said = vi.spyOn(log, 'error')
    await limitDatabase(1)
    expect(storageRefusal(await failAsFull())).toMatchObject({ code: 'storage_full' })
    expect(said.mock.calls.map(([fields]) => fields)).toContainEqual({
      code: 'storage_full',
      ...(service.guidance.database.dialect === 'sqlite'
        ? { cause: 'SQLITE_FULL', reason: 'database or disk is full' }
        : { cause: '53100', reason: 'could not extend file' }),
    })
    if (service.guidance.database.dialect === 'sqlite') {
      const long = { project: { name: 'P', description: 'x'.repeat(4900) } }
      const answers = []
      for (let attempt = 0; attempt < 9; attempt += 1) answers.push(await ada.call('POST', '/projects', { body: long }))
      expect(answers.at(-1)).toMatchObject(FULL)
      const ready = await service.get('/readyz')
      expect({ status: ready.status, body: jsonOf(ready) }).toMatchObject(FULL)
    }
    // A token notes when it was used: that it cannot does not keep anybody from reading.
    expect(await client.call('GET', '/projects')).toMatchObject({ status: 200 })
    expect(await ada.call('GET', '/projects')).toMatchObject({ status: 200 })
    await limitDatabase(null)
    await vi.waitFor(
      async () => {
        const { code } = await service.guidance.checkReady().then(
          () => ({ code: null }),
          (error: unknown) => ({ code: messageOf(error) }),
        )
        expect(code).toBeNull()
      },
      { timeout: 10_000, interval: 200 },
    )
    const project = { name: 'After' }
    expect(await ada.call('POST', '/projects', { body: { project } })).toMatchObject({ status: 200 })
  })
})

describe('The message about a fault of the storage', () => {
  it.skipIf(process.platform !== 'linux')('names the cause of a full disk', async () => {
    const error: unknown = await writeFile('/dev/full', 'x').catch((fault: unknown) => fault)
    const refusal = storageRefusal(error)
    expect(refusal).toMatchObject({ code: 'storage_full', cause: error })
    expect(refusal === null ? '' : describeRefusal(refusal)).toMatch(/ENOSPC.*\[storage_full\]$/)
  })

  it('distinguishes faults that an operator can mend from bugs', async () => {
    const coded = (code: string): Error => Object.assign(new Error('It failed'), { code })
    const codes = ['EROFS', 'SQLITE_READONLY_DBMOVED', 'SQLITE_IOERR_WRITE', '58030']
    for (const code of codes) expect(storageRefusal(coded(code)), code).toMatchObject({ code: 'storage_unwritable' })
    const nothing: unknown = await open('/no/such/file').catch((fault: unknown) => fault)
    for (const other of [nothing, coded('SQLITE_CONSTRAINT'), new Error('EROFS'), null])
      expect(storageRefusal(other)).toBeNull()
  })

  it('leaves nothing behind in a folder that was tried', async () => {
    const folder = await temporaryFolder()
    await probeFolder(folder)
    expect(await readdir(folder)).toEqual([])
    await expect(probeFolder(join(folder, 'absent'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
