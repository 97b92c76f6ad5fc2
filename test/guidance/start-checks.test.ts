import { chmod, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../../src/guidance/database/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startGuidance, type GuidanceUnderTest } from '../support/guidance.ts'
import { containing } from '../support/matchers.ts'
import { refusalOf } from '../support/refusal.ts'

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
  it('tells of a lost key and of readers, and refuses to take a lost database for none', async () => {
    const dataDir = await temporaryFolder()
    const [file, key] = [join(dataDir, 'parapet.db'), join(dataDir, 'secret.key')]
    const [said, warned] = [vi.spyOn(log, 'error'), vi.spyOn(log, 'warn')]
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
      expect(refusal.message).toMatch(/parapet\.db is (?:empty|not there).*uploads.*--new/s)
    }
    const fresh = await openDatabase({ url: null, dataDir, log, isNew: true })
    expect(await fresh.read.selectFrom('users').select('id').execute()).toEqual([])
    await fresh.close()
  })

  it('is a first one where nothing but releases is, or a first one broke off', async () => {
    const dataDir = await temporaryFolder()
    await writeFile(join(dataDir, 'parapet.db'), '')
    const { service } = await startIn(dataDir)
    expect(service.guidance.lostKey).toBeNull()
    expect(service.guidance.firstSteps).toMatchObject({ link: containing('/setup') })
  })
})
