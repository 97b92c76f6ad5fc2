import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { ReleaseFolder } from '../../../src/ontology/index.ts'
import { Hashing } from '../../../src/ontology/reports/hashing.ts'
import { createLog } from '../../../src/platform/log.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { ingestInto } from '../../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const LONG_ENOUGH = 600_000

const hashes = z.object({ records: z.record(z.string(), z.unknown()) })

/** The hashes of a release, in a folder of its own because they are kept there. */
async function hashesOf(portionMs: number): Promise<string> {
  const dataDir = await temporaryFolder()
  await ingestInto(dataDir, [SMALL], { version: '1.0.0', date: '2026-01-01' })
  const manifest = await new ReleaseFolder(dataDir).manifest('1.0.0')
  if (manifest === null) throw new Error('There is no release')
  const options = { dataDir, cacheBytes: 1024 * 1024, log: createLog('silent') }
  const hashing = new Hashing(options, portionMs)
  onTestFinished(() => hashing.close())
  return hashing.of(manifest)
}

describe('The hashes of a release', () => {
  it('do not depend on the size of portions', async () => {
    const whole = await hashesOf(LONG_ENOUGH)
    // Each portion has one path then.
    expect(await hashesOf(0)).toBe(whole)
    const paths = Object.keys(hashes.parse(JSON.parse(whole)).records)
    expect(paths.length).toBeGreaterThan(50)
    expect(new Set(paths).size).toBe(paths.length)
  })
})
