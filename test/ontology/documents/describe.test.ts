import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeDocuments, OntologyService } from '../../../src/ontology/index.ts'
import { createLog } from '../../../src/platform/log.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'
import { d3fIri } from '../../support/release.ts'
import { ingestInto, STARTER } from '../../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'

async function serviceOn(dataDir: string): Promise<OntologyService> {
  const log = createLog('silent')
  const service = new OntologyService({ dataDir, cacheBytes: 1024 * 1024, log })
  onTestFinished(() => service.close())
  await service.start()
  return service
}

describe('The documents of the service', () => {
  it('are none before the first release', async () => {
    const source = describeDocuments(await serviceOn(await temporaryFolder()))
    expect(source.current()).toBeNull()
    const asked = [() => source.content(), () => source.counters([]), () => source.defenses([])]
    for (const ask of asked) expect((await refusalOf(ask)).code).toBe('no_release')
  })

  it('are those of the active release, read once', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, STARTER)
    const source = describeDocuments(await serviceOn(dataDir))
    const [content, again] = await Promise.all([source.content(), source.content()])
    expect(again).toBe(content)
    expect(await source.content()).toBe(content)
    const { version, digest, documents } = content
    expect(source.current()).toStrictEqual({ version, digest })
    expect(documents.map(({ id }) => id)).toContain('D3-AL')
  })

  it('tell what counters and what defends', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, STARTER)
    const source = describeDocuments(await serviceOn(dataDir))
    const counters = await source.counters([d3fIri('AccountLocking')])
    expect(counters.map(({ other }) => other.id)).toContain('T1078')
    expect(await source.counters([d3fIri('AccountLocking')], 1)).toStrictEqual(counters.slice(0, 1))
    const defenses = await source.defenses([d3fIri('T1078')])
    expect(defenses.map(({ technique }) => technique)).toContain(d3fIri('AccountLocking'))
    expect(await source.defenses([d3fIri('T1078')], 1)).toStrictEqual(defenses.slice(0, 1))
  })

  it('are those of the next release after a swap', async () => {
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, STARTER)
    const source = describeDocuments(await serviceOn(dataDir))
    const before = await source.content()
    await ingestInto(dataDir, [SMALL])
    await vi.waitFor(
      () => {
        expect(source.current()?.version).toBe('0.0.1')
      },
      { timeout: 15_000, interval: 100 },
    )
    const after = await source.content()
    expect(after.digest).not.toBe(before.digest)
    expect(after.documents).toHaveLength(5)
  })
})
