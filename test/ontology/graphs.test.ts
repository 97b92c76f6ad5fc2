import { writeFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PublicGraph, PublicGraphs } from '../../src/contracts/graphs.ts'
import { ontologyGraphs, ReleaseFolder } from '../../src/ontology/index.ts'
import type { Manifest } from '../../src/ontology/release/manifest.ts'
import { Refusal } from '../../src/platform/errors.ts'
import { temporaryFolder } from '../support/folder.ts'
import { refusalOf } from '../support/refusal.ts'
import { ingestInto } from '../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'
const SMALL = 'test/fixtures/ontology/small.ttl'
const GIVEN = { version: '1.0.0', date: '2026-01-01' }

describe('The graph of a release', () => {
  let dataDir: string
  let folder: ReleaseFolder
  let manifest: Manifest | null
  let graphs: PublicGraphs

  beforeEach(async () => {
    dataDir = await temporaryFolder()
    await ingestInto(dataDir, [TEN], GIVEN)
    folder = new ReleaseFolder(dataDir)
    manifest = await folder.manifest('1.0.0')
    const release = (): Promise<{ readonly manifest: Manifest }> => {
      if (manifest === null) throw new Refusal('no_release', 'No release is open.')
      return Promise.resolve({ manifest })
    }
    graphs = ontologyGraphs({ release, engine: null }, { dataDir, baseUrl: 'http://a.example' })
  })

  async function listed(): Promise<PublicGraph> {
    const [first] = await graphs.list()
    if (first === undefined) throw new Error('No graph is listed')
    return first
  }

  it('stays in the list while no release is open', async () => {
    manifest = null
    expect((await refusalOf(() => graphs.list())).code).toBe('no_release')
  })

  it('is closed after another release has been activated', async () => {
    const before = await listed()
    expect(await graphs.read(before)).not.toBeNull()
    await ingestInto(dataDir, [SMALL], { ...GIVEN, replace: true })
    expect(await graphs.read(before)).toBeNull()
    await folder.remove('1.0.0')
    expect(await graphs.read(before)).toBeNull()
  })

  it('is refused if its file is damaged', async () => {
    const before = await listed()
    if (manifest !== null) await writeFile(folder.graphPath(manifest), '<a:s> <a:p> <a:o> .\n')
    expect((await refusalOf(() => graphs.read(before))).code).toBe('release_unusable')
  })
})
