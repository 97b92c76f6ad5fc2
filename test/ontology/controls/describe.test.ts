import { onTestFinished, describe, expect, it, vi } from 'vitest'
import { describeControls, OntologyService } from '../../../src/ontology/index.ts'
import { createLog } from '../../../src/platform/log.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'
import { ingestInto, STARTER } from '../../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'

async function serviceOn(dataDir: string): Promise<OntologyService> {
  const log = createLog('silent')
  const service = new OntologyService({ dataDir, cacheBytes: 1024 * 1024, log })
  onTestFinished(() => service.close())
  await service.start()
  return service
}

describe('The controls of the service', () => {
  it('are none before the first release', async () => {
    const source = describeControls(await serviceOn(await temporaryFolder()))
    expect(source.current()).toBeNull()
    expect((await refusalOf(() => source.controls())).code).toBe('no_release')
  })

  it('are those of the active release, worked out once', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, STARTER)
    const source = describeControls(await serviceOn(dataDir))
    const [found, again] = await Promise.all([source.controls(), source.controls()])
    expect(again).toBe(found)
    const { version, digest, techniques, assertions } = found
    expect(source.current()).toStrictEqual({ version, digest })
    expect(digest).toMatch(/^[\da-f]{64}$/)
    expect(techniques.length).toBeGreaterThan(10)
    expect(assertions.map(({ label }) => label)).toContain('CCI-000015')
  })

  it('are those of the next release after a swap', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, STARTER)
    const source = describeControls(await serviceOn(dataDir))
    const before = await source.controls()
    await ingestInto(dataDir, [SMALL])
    await vi.waitFor(
      () => {
        expect(source.current()?.version).toBe('0.0.1')
      },
      { timeout: 15_000, interval: 100 },
    )
    const after = await source.controls()
    expect(after.digest).not.toBe(before.digest)
    expect(after.techniques.map(({ d3fendId }) => d3fendId)).toStrictEqual(['D3-DW'])
    expect(after.assertions).toStrictEqual([])
  })
})
