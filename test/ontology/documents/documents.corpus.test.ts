// @module-tag long

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OntologyContent } from '../../../src/contracts/sources.ts'
import { EmbeddedGraph } from '../../../src/graph/store.ts'
import { findCounters } from '../../../src/ontology/documents/counters.ts'
import { findDefenses } from '../../../src/ontology/documents/defenses.ts'
import { findContent } from '../../../src/ontology/documents/documents.ts'
import { readRelease, type Release } from '../../../src/ontology/release/release.ts'
import { artifact } from '../../../src/ontology/views/artifact/artifact.ts'
import { offensiveTechnique } from '../../../src/ontology/views/offensive-technique/offensive-technique.ts'
import { technique } from '../../../src/ontology/views/technique/technique.ts'
import type { RecordView } from '../../../src/ontology/views/view.ts'
import { weakness } from '../../../src/ontology/views/weakness/weakness.ts'
import { rowsOf, sectionOf } from '../../support/answers.ts'
import { CORPUS } from '../../support/corpus.ts'
import { d3fIri, manifestOf } from '../../support/release.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PUBLISHED = join(CORPUS, 'ontology/d3fend-0.17.0.ttl')
const SOURCE = join(CORPUS, 'ontology/d3fend-source-2025-08.ttl')
const STARTER = globSync('data/ontology/*.ttl', { cwd: ROOT, absolute: true })

async function releaseOf(files: readonly string[]): Promise<Release> {
  const graph = new EmbeddedGraph()
  for (const file of files) graph.load(await readFile(file), 'text/turtle')
  return readRelease(graph, manifestOf())
}

function count(content: OntologyContent): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { kind } of content.documents) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** The blocks of a Turtle file that is written one subject a block. */
function blocksOf(turtle: string): readonly string[] {
  return turtle.split(/\n(?=d3f:\S)/)
}

/** Names below a class by the direct statements of the blocks. */
function namesBelow(blocks: readonly string[], root: string): ReadonlySet<string> {
  const edges = blocks.map((block) => {
    const name = /^d3f:\S+/.exec(block)?.[0] ?? ''
    const rest = / rdfs:subClassOf ([\s\S]*?)(?: \.$| ;$)/m.exec(withoutNested(block))?.[1] ?? ''
    return { name, above: rest.match(/d3f:[\w.-]+/g) ?? [] }
  })
  const below = new Set([root])
  for (let size = 0; size < below.size;) {
    size = below.size
    for (const { name, above } of edges) if (above.some((parent) => below.has(parent))) below.add(name)
  }
  below.delete(root)
  return below
}

/** Without texts and restrictions, whose content is nothing of the subject. */
function withoutNested(block: string): string {
  return block.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"/g, '""').replace(/\[[^[\]]*\]/g, '')
}

/** The values that join a defense to the rows of a section, once each. */
async function joinsOf(
  release: Release,
  [view, section]: readonly [RecordView, string],
  columns: readonly string[],
): Promise<ReadonlySet<string>> {
  const joins = new Set<string>()
  for (const iri of view.members(release).values()) {
    for (const row of rowsOf(sectionOf(await view.answer(release, iri), section))) {
      const values = columns.map((column) => row[column]?.value)
      if (values.every((value) => value !== undefined)) joins.add([iri, ...values].join(' '))
    }
  }
  return joins
}

describe.skipIf(!existsSync(PUBLISHED))('The documents of D3FEND 0.17.0', () => {
  let release: Release
  let content: OntologyContent
  let blocks: readonly string[] = []

  beforeAll(async () => {
    release = await releaseOf([PUBLISHED])
    content = await findContent(release)
    blocks = blocksOf(await readFile(PUBLISHED, 'utf8'))
  })

  it('are as many of each kind as the file has', () => {
    const having = (property: string): number =>
      blocks.filter((block) => new RegExp(`^    d3f:${property} `, 'm').test(block)).length
    const typed = (type: string): number =>
      blocks.filter((block) => new RegExp(`^d3f:\\S+ a [^;]*d3f:${type}\\b`).test(block)).length
    const defensive = namesBelow(blocks, 'd3f:DefensiveTechnique')
    const identified = blocks.filter((block) => /^ {4}d3f:d3fend-id /m.test(block))
    const tactics = namesBelow(blocks, 'd3f:DefensiveTactic').size + namesBelow(blocks, 'd3f:OffensiveTactic').size
    expect(count(content)).toStrictEqual({
      technique: identified.filter((block) => defensive.has(block.split(' ')[0] ?? '')).length,
      tactic: tactics,
      'offensive-technique': having('attack-id'),
      weakness: having('cwe-id'),
      artifact: namesBelow(blocks, 'd3f:DigitalArtifact').size,
      cci: typed('CCIControl'),
      control: typed('NISTControl'),
    })
  })

  it('have one IRI each and a label', () => {
    const { documents } = content
    expect(new Set(documents.map(({ iri }) => iri)).size).toBe(documents.length)
    expect(documents.filter(({ label }) => label === '')).toStrictEqual([])
  })

  it('have the synonyms that the file has', () => {
    const synonyms = content.documents.find(({ id }) => id === 'D3-PFV')?.synonyms
    const block = blocks.find((text) => text.includes('d3fend-id "D3-PFV"')) ?? ''
    const [, stated = ''] = /d3f:synonym ([^;.]*)/.exec(block) ?? []
    expect(synonyms).toStrictEqual(Array.from(stated.matchAll(/"([^"]*)"/g), ([, text]) => text).sort())
  })

  it('have links for every statement of a control about a technique', () => {
    const ids = new Set(content.documents.filter(({ kind }) => kind === 'technique').map(({ name }) => name))
    const stated = blocks
      .filter((block) => /^d3f:\S+ a [^;]*d3f:(?:CCI|NIST)Control\b/.test(block))
      .flatMap((block) => withoutNested(block).split(';').slice(1))
      .flatMap((part) => part.match(/d3f:[\w.-]+\w/g)?.slice(1) ?? [])
      .filter((object) => ids.has(object))
    expect(content.links).toHaveLength(stated.length)
    expect(stated.length).toBeGreaterThan(600)
  })

  it('have the paths of def_to_off and weak_to_def', { timeout: 120_000 }, async () => {
    const counters = findCounters(release, [...technique.members(release).values()], Infinity)
    const met = counters.filter(({ other }) => other.kind === 'offensive-technique')
    const offensive = ['def_artifact', 'off_artifact', 'off_tech']
    expect(
      new Set(met.map((path) => [path.technique, path.artifact.iri, path.otherArtifact.iri, path.other.iri].join(' '))),
    ).toStrictEqual(await joinsOf(release, [technique, 'def_to_off'], offensive))
    const weak = counters.filter(({ other }) => other.kind === 'weakness')
    const defended = ['def_tech', 'def_artifact', 'weak_artifact']
    expect(
      new Set(
        weak.map((path) => [path.other.iri, path.technique, path.artifact.iri, path.otherArtifact.iri].join(' ')),
      ),
    ).toStrictEqual(await joinsOf(release, [weakness, 'weak_to_def'], defended))
  })

  it.each([
    ['offensive-technique', offensiveTechnique, 'off_to_def', ['off_artifact']],
    ['weakness', weakness, 'weak_to_def', ['weak_artifact']],
    ['artifact', artifact, 'da_to_def', []],
  ] as const)('have the paths of each %s', { timeout: 120_000 }, async (kind, view, section, columns) => {
    const subjects = content.documents.filter((document) => document.kind === kind)
    const iris = new Set(subjects.map(({ iri }) => iri))
    const published = await joinsOf(release, [view, section], ['def_tech', 'def_artifact', ...columns])
    const defenses = findDefenses(release, [...iris], Infinity).map((path) => {
      const touched = path.attack === null ? [] : [path.attack.artifact.iri]
      return [path.subject, path.technique, path.artifact.iri, ...touched].join(' ')
    })
    expect(new Set(defenses)).toStrictEqual(
      new Set([...published].filter((join) => iris.has(join.split(' ')[0] ?? ''))),
    )
    expect(defenses.length).toBeGreaterThan(500)
  })
})

describe.skipIf(!existsSync(SOURCE))('The documents of the source of August 2025', () => {
  it('are complete without controls', async () => {
    const content = await findContent(await releaseOf([SOURCE]))
    const { artifact: artifacts, weakness: weaknesses, ...counts } = count(content)
    expect(counts).toStrictEqual({ technique: 249, tactic: 21, 'offensive-technique': 823 })
    expect(artifacts).toBeGreaterThan(500)
    expect(weaknesses).toBeGreaterThan(900)
    expect(content.links).toStrictEqual([])
  })
})

describe('The documents of the bundled ontology', () => {
  it('are of every kind, and each counter leads to one', async () => {
    const release = await releaseOf(STARTER)
    const content = await findContent(release)
    expect(Object.keys(count(content)).sort()).toStrictEqual([
      'artifact',
      'cci',
      'control',
      'offensive-technique',
      'tactic',
      'technique',
      'weakness',
    ])
    const iris = new Set(content.documents.map(({ iri }) => iri))
    const techniques = content.documents.filter(({ kind }) => kind === 'technique')
    const counters = findCounters(
      release,
      techniques.map(({ iri }) => iri),
      Infinity,
    )
    expect(counters.length).toBeGreaterThan(50)
    expect(counters.filter(({ other }) => !iris.has(other.iri))).toStrictEqual([])
    expect(content.documents.find(({ iri }) => iri === d3fIri('AccountLocking'))).toMatchObject({
      kind: 'technique',
      id: 'D3-AL',
      label: 'Account Locking',
      tactics: [{ iri: d3fIri('Evict'), label: 'Evict' }],
    })
  })
})
