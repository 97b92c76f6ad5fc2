// @module-tag database

import { chmod, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '../../src/guidance/database/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startGuidance, type GuidanceUnderTest } from '../support/guidance.ts'
import { containing } from '../support/matchers.ts'
import { refusalOf } from '../support/refusal.ts'
import { personWithCodes } from '../support/second-factor.ts'
import { addHook } from './activity/webhooks/hooks.ts'

const log = createLog('silent')

async function startIn(dataDir: string): Promise<GuidanceUnderTest> {
  const under = await startGuidance(dataDir, {}, log)
  let open = true
  const close = under.service.close.bind(under.service)
  const closeOnce = async (): Promise<void> => {
    if (open) await close()
    open = false
  }
  onTestFinished(closeOnce)
  return { ...under, service: { ...under.service, close: closeOnce } }
}

describe.skipIf(process.env['PARAPET_TEST_DIALECT'] === 'postgres')('A start', () => {
  it('reports a lost key and files that others can read, and is refused without its database', async () => {
    const dataDir = await temporaryFolder()
    const [file, key] = [join(dataDir, 'parapet.db'), join(dataDir, 'secret.key')]
    const said = vi.spyOn(log, 'error').mockClear()
    const warned = vi.spyOn(log, 'warn').mockClear()
    const first = await startIn(dataDir)
    await first.person('Ada')
    await first.service.close()
    await rm(key)
    await chmod(file, 0o644)
    expect([said.mock.calls, warned.mock.calls]).toEqual([[], []])
    const second = await startIn(dataDir)
    expect(second.service.guidance.lostKey).toContain(key)
    expect(said).toHaveBeenCalledWith({ file: key }, containing('Every session'))
    expect(warned).toHaveBeenCalledWith({ file, mode: '644' }, containing('chmod 600'))
    await second.service.close()
    for (const lose of [() => truncate(file, 0), () => rm(file)]) {
      await lose()
      const refusal = await refusalOf(() => openDatabase({ url: null, dataDir, log }))
      expect(refusal.code).toBe('database_missing')
      expect(refusal.message).toMatch(/parapet\.db is (?:empty|missing).*uploads.*--new/s)
    }
    const fresh = await openDatabase({ url: null, dataDir, log, isNew: true })
    expect(await fresh.read.selectFrom('users').select('id').execute()).toEqual([])
    await fresh.close()
  })

  it('counts the secrets that the key of another installation cannot read', async () => {
    const dataDir = await temporaryFolder()
    const said = vi.spyOn(log, 'error').mockClear()
    const first = await startIn(dataDir)
    const { session } = await personWithCodes(first, 'Ada')
    const created = await session.call('POST', '/projects', { body: { project: { name: 'P' } } })
    const { id } = z.object({ id: z.int() }).parse(created.body)
    await addHook(session, id, { url: 'https://93.184.215.14/hook' })
    await first.service.close()
    const same = await startIn(dataDir)
    expect([same.service.guidance.lostKey, said.mock.calls]).toEqual([null, []])
    await same.service.close()
    await writeFile(join(dataDir, 'secret.key'), 'k'.repeat(64))
    const other = await startIn(dataDir)
    const text = containing('The secrets of 1 of 1 webhooks and of 1 of 1 one-time codes')
    expect(other.service.guidance.lostKey).toEqual(text)
    expect(said).toHaveBeenCalledWith({ webhooks: 1, factors: 1 }, text)
  })

  it('is the first one if there are only releases, or if the first one was interrupted', async () => {
    const dataDir = await temporaryFolder()
    await writeFile(join(dataDir, 'parapet.db'), '')
    const { service } = await startIn(dataDir)
    expect(service.guidance.lostKey).toBeNull()
    expect(service.guidance.firstSteps).toMatchObject({ link: containing('/setup') })
  })
})
