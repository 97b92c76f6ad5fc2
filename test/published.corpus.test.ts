// @module-tag long

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import jsonld from 'jsonld'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EmbeddedGraph } from '../src/graph/store.ts'
import { decideIdentity } from '../src/ontology/ingest/identity.ts'
import { ingest } from '../src/ontology/ingest/ingest.ts'
import { ReleaseFolder } from '../src/ontology/release/folder.ts'
import { artifacts, openRelease, readRelease, type Release } from '../src/ontology/release/release.ts'
import { render } from '../src/ontology/render/render.ts'
import { artifact } from '../src/ontology/views/artifact/artifact.ts'
import { fullMappingsJson } from '../src/ontology/views/mapping/mapping.ts'
import { matrix } from '../src/ontology/views/matrix/matrix.ts'
import {
  offensiveTechnique,
  offensiveTechniqueList,
} from '../src/ontology/views/offensive-technique/offensive-technique.ts'
import { PAIR_VIEWS } from '../src/ontology/views/pairs/views.ts'
import { technique, techniques } from '../src/ontology/views/technique/technique.ts'
import type { DocumentView, RecordView } from '../src/ontology/views/view.ts'
import { weakness } from '../src/ontology/views/weakness/weakness.ts'
import { PlainPairs } from './ontology/views/pairs/plain-pairs.ts'
import { nodesOf, rowsOf, sectionOf, valuesOf } from './support/answers.ts'
import { CORPUS } from './support/corpus.ts'
import { d3fIri, manifestOf } from './support/release.ts'

const PUBLISHED = join(CORPUS, 'ontology/d3fend-0.17.0.ttl')
const GOLDEN = join(CORPUS, 'ontology/golden-0.17.0')
const GOLDEN_1 = join(CORPUS, 'ontology/golden-1.0.0')
const SOURCE = join(CORPUS, 'ontology/d3fend-source-2025-08.ttl')
const COMPARER = join(CORPUS, '../tools/compare-ontology.mjs')

const isPresent = [PUBLISHED, GOLDEN, GOLDEN_1, SOURCE, COMPARER].every((path) => existsSync(path))

let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parapet-'))
})

afterAll(async () => {
  await rm(home, { recursive: true, force: true })
})

/** How many rows a section has over all members of a view, or over some IRIs. */
async function totalRows(
  release: Release,
  [view, section]: readonly [RecordView, string],
  iris: Iterable<string> = view.members(release).values(),
): Promise<number> {
  let total = 0
  for (const iri of iris) {
    total += rowsOf(sectionOf(await view.answer(release, iri), section)).length
  }
  return total
}

interface Comparison {
  readonly files: number
  /** Paths of the files that differ. */
  readonly unequal: readonly string[]
}

/** Renders each published file of a folder, and compares both. */
async function compareWith(golden: string, release: Release): Promise<Comparison> {
  const rendered = await mkdtemp(join(home, 'rendered-'))
  const entries = await readdir(golden, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.gz'))
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name).slice(golden.length).split(sep).join('/')
    const { body } = await render(release, path, { coding: 'identity' })
    await mkdir(dirname(join(rendered, path)), { recursive: true })
    await writeFile(join(rendered, path), body)
  }
  const argv = [COMPARER, golden, rendered, '--show', String(files.length)]
  const { stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8' })
  const unequal = Array.from(stdout.matchAll(/^ {4}(\/\S+)$/gm), ([, path = '']) => path)
  const equal = files.length - unequal.length
  expect(stdout).toMatch(new RegExp(`^ALL +${equal}/${files.length} `, 'm'))
  return { files: files.length, unequal }
}

async function openPublished(turtle: Uint8Array): Promise<Release> {
  const graph = new EmbeddedGraph()
  graph.load(turtle, 'text/turtle')
  const identity = await decideIdentity(graph, {})
  return readRelease(graph, manifestOf(identity))
}

/** The statements of a JSON-LD document, each once, sorted. */
async function statementsOf(json: string): Promise<readonly string[]> {
  const document = z.looseObject({}).parse(JSON.parse(json))
  const quads = z.string().parse(await jsonld.toRDF(document, { format: 'application/n-quads' }))
  return [...new Set(quads.split('\n'))].toSorted()
}

describe.skipIf(!isPresent)('The views of D3FEND 1.0.0', () => {
  it('equal every published file but the list of events', { timeout: 120_000 }, async () => {
    const release = await openPublished(gunzipSync(await readFile(join(GOLDEN_1, 'd3fend.ttl.gz'))))
    const { files, unequal } = await compareWith(GOLDEN_1, release)
    expect(files).toBeGreaterThan(290)
    // D3FEND's own files disagree about which of two parents comes first, and so holds what both share.
    expect(unequal).toEqual(['/api/event/all.json'])
    const { body } = await render(release, '/api/event/all.json', { coding: 'identity' })
    const published = await readFile(join(GOLDEN_1, 'api/event/all.json'), 'utf8')
    expect(await statementsOf(body.toString())).toEqual(await statementsOf(published))
  })
})

describe.skipIf(!isPresent)('The views of D3FEND 0.17.0', () => {
  let release: Release

  beforeAll(async () => {
    release = await openPublished(await readFile(PUBLISHED))
  })

  it('equal every published file', { timeout: 120_000 }, async () => {
    const { files, unequal } = await compareWith(GOLDEN, release)
    expect(files).toBeGreaterThan(200)
    expect(unequal).toEqual([])
  })

  it('have 8,744 rows in def_to_off, in the full mappings and one by one', async () => {
    expect(rowsOf(await fullMappingsJson.answer(release))).toHaveLength(8744)
    expect(await totalRows(release, [technique, 'def_to_off'])).toBe(8744)
  })

  it('have the pairs of plain loops over the triples', { timeout: 60_000 }, async () => {
    const plain = await PlainPairs.of(await readFile(PUBLISHED))
    const [attacks, weaknesses, controls] = PAIR_VIEWS.map(({ json }) => json)
    const pairs = async (view: DocumentView | undefined, other: string): Promise<unknown> =>
      valuesOf(await view?.answer(release), 'def_tech', other)
    expect(await pairs(attacks, 'off_tech')).toStrictEqual(plain.withAttacks())
    expect(await pairs(weaknesses, 'weak')).toStrictEqual(plain.withWeaknesses())
    expect(await pairs(controls, 'control')).toStrictEqual(plain.withControls())
  })

  it('have 405 rows in digital_artifacts', async () => {
    expect(await totalRows(release, [technique, 'digital_artifacts'])).toBe(405)
  })

  it('have 71,068 rows in off_to_def without T1546', { timeout: 60_000 }, async () => {
    const members = [...offensiveTechnique.members(release)]
    const others = members.filter(([id]) => id !== 'T1546').map(([, iri]) => iri)
    expect(others).toHaveLength(779)
    expect(await totalRows(release, [offensiveTechnique, 'off_to_def'], others)).toBe(71_068)
  })

  it('have 4,532,106 bytes for T1546', async () => {
    const path = '/api/offensive-technique/attack/T1546.json'
    expect((await render(release, path, { coding: 'identity' })).length).toBe(4_532_106)
  })

  it('have 1,110 rows in weak_to_def of 933 weaknesses', async () => {
    expect(weakness.members(release).size).toBe(933)
    expect(await totalRows(release, [weakness, 'weak_to_def'])).toBe(1110)
  })

  it('have 3,860 rows in da_to_off and 3,340 in da_to_def', { timeout: 60_000 }, async () => {
    const linked = ['Access', 'DigitalEvent', 'ProcessSpawnAnalysis', 'T1554'].map(d3fIri)
    const published = [...artifacts(release), ...linked]
    expect(published).toHaveLength(691)
    expect(await totalRows(release, [artifact, 'da_to_off'], published)).toBe(3860)
    expect(await totalRows(release, [artifact, 'da_to_def'], published)).toBe(3340)
  })

  it('have 202 techniques and 780 offensive techniques', async () => {
    expect(nodesOf(await techniques.answer(release))).toHaveLength(202)
    expect(nodesOf(await offensiveTechniqueList.answer(release))).toHaveLength(780)
  })
})

describe.skipIf(!isPresent)('An ontology source of August 2025', () => {
  let release: Release

  beforeAll(async () => {
    const folder = new ReleaseFolder(join(home, 'data'))
    const { manifest } = await ingest(folder, {
      sources: [SOURCE],
      version: '1.2.0-source',
      date: '2025-08-01',
      maxBytes: 64 * 1024 * 1024,
      timeoutMs: 1000,
    })
    release = await openRelease(folder, manifest)
  })

  it('has statements made from restrictions', () => {
    expect(release.manifest.counts.directFromRestrictions).toBeGreaterThan(0)
  })

  it('has seven tactics in the matrix', async () => {
    expect(await matrix.answer(release)).toHaveLength(7)
  })

  it('has 249 techniques and 823 offensive techniques', async () => {
    expect(nodesOf(await techniques.answer(release))).toHaveLength(249)
    expect(nodesOf(await offensiveTechniqueList.answer(release))).toHaveLength(823)
    expect(release.manifest.counts).toMatchObject({ defensiveTechniques: 249, offensiveTechniques: 823 })
  })

  it.each(['FileAnalysis', 'ProcessAnalysis', 'NetworkTrafficAnalysis'])(
    'has rows in the mappings of %s',
    async (name) => {
      const answer = await technique.answer(release, d3fIri(name))
      expect(rowsOf(sectionOf(answer, 'def_to_off')).length).toBeGreaterThan(0)
      expect(rowsOf(sectionOf(answer, 'digital_artifacts')).length).toBeGreaterThan(0)
    },
  )
})
