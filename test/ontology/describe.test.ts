import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeOntology, OntologyService } from '../../src/ontology/index.ts'
import { createLog } from '../../src/platform/log.ts'
import { temporaryFolder } from '../support/folder.ts'
import { refusalOf } from '../support/refusal.ts'
import { d3fIri } from '../support/release.ts'
import { ingestInto, STARTER } from '../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'

type Described = ReturnType<typeof describeOntology>

async function describedOn(dataDir: string): Promise<Described> {
  const service = serviceOn(dataDir)
  await service.start()
  return describeOntology(service)
}

function serviceOn(dataDir: string): OntologyService {
  const service = new OntologyService({
    dataDir,
    cacheBytes: 1024 * 1024,
    releasesBytes: 1024 * 1024,
    baseUrl: '',
    log: createLog('silent'),
  })
  onTestFinished(() => service.close())
  return service
}

async function describedStarter(): Promise<Described & { readonly dataDir: string }> {
  const dataDir = await temporaryFolder()
  await ingestInto(dataDir, STARTER)
  return { ...(await describedOn(dataDir)), dataDir }
}

describe('The content of the ontology', () => {
  it('is empty before the first release', async () => {
    const source = await describedOn(await temporaryFolder())
    expect(source.current()).toBeNull()
    const asked = [
      () => source.controls(),
      () => source.content(),
      () => source.counters([]),
      () => source.defenses([]),
    ]
    for (const ask of asked) expect((await refusalOf(ask)).code).toBe('no_release')
  })

  it('waits for the start, and is refused while the active release cannot be opened', async () => {
    const none = await describedOn(await temporaryFolder())
    expect(await none.opened()).toBeNull()
    const dataDir = await temporaryFolder()
    await ingestInto(dataDir, [SMALL])
    const service = serviceOn(dataDir)
    const source = describeOntology(service)
    const started = service.start()
    expect(source.current()).toBeNull()
    expect(await source.opened()).toMatchObject({ version: '0.0.1' })
    await started
    await service.folder.activate('0.0.2')
    const damaged = await describedOn(dataDir)
    expect((await refusalOf(() => damaged.opened())).code).toBe('release_unusable')
  })

  it('has the controls and documents of the active release, each computed once', async () => {
    const source = await describedStarter()
    const [controls, controlsAgain] = await Promise.all([source.controls(), source.controls()])
    expect(controlsAgain).toBe(controls)
    const [content, contentAgain] = await Promise.all([source.content(), source.content()])
    expect(contentAgain).toBe(content)
    expect(await source.content()).toBe(content)
    const { version, digest, techniques, assertions } = controls
    expect(source.current()).toStrictEqual({ version, digest })
    expect({ version: content.version, digest: content.digest }).toStrictEqual({ version, digest })
    expect(digest).toMatch(/^[\da-f]{64}$/)
    expect(techniques.length).toBeGreaterThan(10)
    expect(assertions.map(({ label }) => label)).toContain('CCI-000015')
    expect(content.documents.map(({ id }) => id)).toContain('D3-AL')
  })

  it('includes countermeasures and defenses', async () => {
    const source = await describedStarter()
    const counters = await source.counters([d3fIri('AccountLocking')])
    expect(counters.map(({ other }) => other.id)).toContain('T1078')
    expect(await source.counters([d3fIri('AccountLocking')], 1)).toStrictEqual(counters.slice(0, 1))
    const defenses = await source.defenses([d3fIri('T1078')])
    expect(defenses.map(({ technique }) => technique)).toContain(d3fIri('AccountLocking'))
    expect(await source.defenses([d3fIri('T1078')], 1)).toStrictEqual(defenses.slice(0, 1))
  })

  it('is that of the new release after a swap', async () => {
    const source = await describedStarter()
    const before = [await source.controls(), await source.content()]
    await ingestInto(source.dataDir, [SMALL])
    await vi.waitFor(
      () => {
        expect(source.current()?.version).toBe('0.0.1')
      },
      { timeout: 15_000, interval: 100 },
    )
    const [controls, content] = [await source.controls(), await source.content()]
    expect(before.map(({ digest }) => digest)).not.toContain(controls.digest)
    expect(content.digest).toBe(controls.digest)
    expect(controls.techniques.map(({ d3fendId }) => d3fendId)).toStrictEqual(['D3-DW'])
    expect(controls.assertions).toStrictEqual([])
    expect(content.documents).toHaveLength(5)
    // A path that was looked up before the swap is answered by the same release.
    const path = '/api/technique/d3f:AccountLocking.json'
    const version = before[0]?.version ?? ''
    expect((await source.readDocument(path, version)).toString()).toContain('Account Locking')
    expect((await refusalOf(() => source.readDocument(path, content.version))).code).toBe('subject_not_found')
  })
})
