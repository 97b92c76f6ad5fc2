import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EmbeddedGraph } from '../../../src/graph/store.ts'
import { readNTriples } from '../../../src/graph/syntax/n3.ts'
import { compareCodeUnits, termKey, type Statement } from '../../../src/graph/term.ts'
import { D3F, d3f, owl, rdf, rdfs, WELL_KNOWN_PREFIXES } from '../../../src/graph/vocabulary.ts'
import { compareReleases, type LoadedRelease } from '../../../src/ontology/changes/compare.ts'
import { changesCsv } from '../../../src/ontology/changes/forms.ts'
import { changesSchema, type Changes } from '../../../src/ontology/changes/schema.ts'
import { CORPUS } from '../../support/corpus.ts'
import { manifestOf, withPrefixes } from '../../support/release.ts'

function releaseOf(turtle: string | Buffer, version = '1'): LoadedRelease {
  const graph = new EmbeddedGraph()
  graph.load(Buffer.from(turtle), 'text/turtle')
  const manifest = manifestOf({ version, prefixes: { ...WELL_KNOWN_PREFIXES } })
  return { manifest, statements: readNTriples(graph.dump()) }
}

function compareTurtle(before: string, after: string): Changes {
  const [from, to] = [before, after].map((turtle) => releaseOf(withPrefixes(turtle)))
  if (from === undefined || to === undefined) throw new Error('Two releases')
  return changesSchema.parse(compareReleases(from, to))
}

/** Finds the successors that are proposed for the record that was removed. */
function successorsOf({ changes }: Changes): readonly string[] | undefined {
  const removed = changes.find(({ change }) => change === 'removed')
  return removed?.successors?.map(({ name }) => name)
}

const TECHNIQUE = 'a owl:Class ; rdfs:subClassOf d3f:DefensiveTechnique'

describe('compareReleases', () => {
  it('finds nothing between a release and itself', () => {
    const turtle = `d3f:A ${TECHNIQUE} ; rdfs:label "A" ; d3f:x [ d3f:y [ d3f:z "deep" ] ] .`
    const { changes, statements } = compareTurtle(turtle, turtle)
    expect(changes).toEqual([])
    expect(statements).toEqual({ added: [], removed: [] })
  })

  it.each([
    ['added', '', `d3f:A ${TECHNIQUE} .`, [{ change: 'added', kind: 'technique', name: 'd3f:A' }]],
    ['removed', `d3f:A ${TECHNIQUE} .`, '', [{ change: 'removed', still_stated: false }]],
    [
      'removed from its kind, while something is still said of it',
      `d3f:A ${TECHNIQUE} .`,
      'd3f:A rdfs:label "A" .',
      [{ change: 'removed', still_stated: true }],
    ],
    [
      'renamed',
      `d3f:A ${TECHNIQUE} ; rdfs:label "Old" .`,
      `d3f:A ${TECHNIQUE} ; rdfs:label "New" .`,
      [{ change: 'renamed', old: ['Old'], new: ['New'] }],
    ],
    [
      'known by its identifier under another IRI',
      `d3f:A ${TECHNIQUE} ; d3f:d3fend-id "D3-A" .`,
      `d3f:B ${TECHNIQUE} ; d3f:d3fend-id "D3-A" .`,
      [{ change: 're-identified', same_by: 'identifier', old: ['d3f:A', 'D3-A'] }],
    ],
    [
      'known by its label under another IRI and identifier',
      `d3f:A ${TECHNIQUE} ; d3f:d3fend-id "D3-A" ; rdfs:label "Decoy File" .`,
      `d3f:B ${TECHNIQUE} ; d3f:d3fend-id "D3-B" ; rdfs:label "Decoy file" .`,
      [{ change: 're-identified', same_by: 'label', new: ['d3f:B', 'D3-B'] }, { change: 'renamed' }],
    ],
    [
      'given another identifier',
      `d3f:A ${TECHNIQUE} ; d3f:d3fend-id "D3-A" .`,
      `d3f:A ${TECHNIQUE} ; d3f:d3fend-id "D3-B" .`,
      [{ change: 're-identified', same_by: 'iri', new: ['d3f:A', 'D3-B'] }],
    ],
    [
      'deprecated',
      `d3f:A ${TECHNIQUE} .`,
      `d3f:A ${TECHNIQUE} ; owl:deprecated true .`,
      [{ change: 'deprecated', successors: [] }],
    ],
    [
      'changed in a blank node',
      `d3f:A ${TECHNIQUE} ; d3f:x [ d3f:y [ d3f:z "old" ] ] .`,
      `d3f:A ${TECHNIQUE} ; d3f:x [ d3f:y [ d3f:z "new" ] ] .`,
      [{ property: 'd3f:x', new: ['[ d3f:y [ d3f:z new ] ]'] }],
    ],
    [
      'of another kind',
      `d3f:A ${TECHNIQUE} .`,
      'd3f:A a owl:Class ; rdfs:subClassOf d3f:DigitalArtifact .',
      [{ change: 'changed', property: 'kind', old: ['technique'], new: ['artifact'] }, { property: 'rdfs:subClassOf' }],
    ],
  ])('reports records that were %s', (_name, before, after, expected) => {
    expect(compareTurtle(before, after).changes).toMatchObject(expected)
  })

  it('does not match two records by a label that others share', () => {
    const two = `d3f:A ${TECHNIQUE} ; rdfs:label "Same" . d3f:B ${TECHNIQUE} ; rdfs:label "Same" .`
    const { changes } = compareTurtle(two, `d3f:C ${TECHNIQUE} ; rdfs:label "Same" .`)
    expect(changes.map(({ change }) => change)).toEqual(['added', 'removed', 'removed'])
  })

  it('rates a successor by mappings, label and definition, or as stated', () => {
    const common = `d3f:R a owl:ObjectProperty . d3f:D ${TECHNIQUE} ; rdfs:label "Far away" .`
    const old = `d3f:A ${TECHNIQUE} ; rdfs:label "File analysis" ; d3f:definition "Looks at files." ; d3f:R d3f:D .`
    const now = `d3f:B ${TECHNIQUE} ; rdfs:label "Analysis of files" ; d3f:definition "Looks at files." ; d3f:R d3f:D .`
    const comparison = compareTurtle(common + old, common + now)
    const removed = comparison.changes.find(({ change }) => change === 'removed')
    expect(removed?.successors).toMatchObject([
      { name: 'd3f:B', likeness: { mappings: 1, definition: 1 }, stated: false },
    ])
    expect(removed?.successors?.[0]?.confidence).toBeGreaterThan(0.9)
    const stated = compareTurtle(common + old, `${common} d3f:A <http://purl.org/dc/terms/isReplacedBy> d3f:D .`)
    const gone = stated.changes.find(({ change }) => change === 'removed')
    expect(gone?.successors?.[0]).toMatchObject({ name: 'd3f:D', confidence: 1, stated: true })
    const unmarked = compareTurtle(common + old, `${common} d3f:A rdfs:seeAlso d3f:D .`)
    expect(successorsOf(unmarked)).toEqual([])
    const marked = compareTurtle(common + old, `${common}${old} d3f:A owl:deprecated true . ${now}`)
    const deprecated = marked.changes.find(({ change }) => change === 'deprecated')
    expect(deprecated?.successors?.[0]).toMatchObject({ name: 'd3f:B', stated: false })
  })

  it.each([
    ['is deprecated now', '', 'owl:deprecated true ;'],
    ['was deprecated before', 'owl:deprecated true ;', 'owl:deprecated true ;'],
  ])('proposes no successor that %s, however alike', (_, before, after) => {
    const gone = `d3f:A ${TECHNIQUE} ; rdfs:label "File analysis" ; d3f:definition "Looks at files." .`
    const other = (mark: string, name: string) =>
      `d3f:${name} ${TECHNIQUE} ; ${mark} rdfs:label "Analysis of files" ; d3f:definition "Looks at files." .`
    const alike = compareTurtle(`${gone} ${other(before, 'B')}`, other(after, 'B'))
    expect(successorsOf(alike)).toEqual([])
    const beside = compareTurtle(`${gone} ${other(before, 'B')}`, `${other(after, 'B')} ${other('', 'C')}`)
    expect(successorsOf(beside)).toEqual(['d3f:C'])
  })

  it('reads the successor that a deprecated record names by identifier or IRI', () => {
    const { changes } = compareTurtle(
      `:A rdfs:subClassOf :OffensiveTechnique ; :attack-id "T9001" ; rdfs:label "Peeking" .
       :B rdfs:subClassOf :OffensiveTechnique ; :attack-id "T9002" ; rdfs:label "Shouting" .`,
      `:A rdfs:subClassOf :OffensiveTechnique ; :attack-id "T9001" ; rdfs:label "Peeking" ;
         owl:deprecated true ; rdfs:seeAlso "T9002" .
       :B rdfs:subClassOf :OffensiveTechnique ; :attack-id "T9002" ; rdfs:label "Shouting" .
       :C rdfs:subClassOf :ATLASTechnique ; :attack-id "AML.T9003" ; owl:deprecated true ; rdfs:seeAlso :B .`,
    )
    const successors = { name: 'd3f:B', confidence: 1, stated: true }
    expect(changes).toMatchObject([
      { change: 'added', name: 'd3f:C', deprecated: true, successors: [successors] },
      { change: 'deprecated', name: 'd3f:A', deprecated: true, successors: [successors] },
      { change: 'changed', name: 'd3f:A', property: 'rdfs:seeAlso' },
    ])
  })

  it('proposes no deprecated successor that the release states', () => {
    const gone = `d3f:A ${TECHNIQUE} ; rdfs:label "Old" .`
    const marks = 'owl:deprecated true ; rdfs:label "Far away"'
    const comparison = compareTurtle(
      gone,
      `d3f:A <http://purl.org/dc/terms/isReplacedBy> d3f:B . d3f:B ${TECHNIQUE} ; ${marks} .`,
    )
    expect(successorsOf(comparison)).toEqual([])
  })

  it('proposes no successor of another kind, however alike', () => {
    const marks = 'rdfs:label "Analysis of files" ; d3f:definition "Looks at files."'
    const comparison = compareTurtle(
      `d3f:A ${TECHNIQUE} ; rdfs:label "File analysis" ; d3f:definition "Looks at files." .`,
      `d3f:B a owl:Class ; rdfs:subClassOf d3f:DigitalArtifact ; ${marks} .`,
    )
    expect(successorsOf(comparison)).toEqual([])
  })

  it('proposes no successor that is deprecated in the same release', () => {
    const two = (mark: string) =>
      `d3f:A ${TECHNIQUE} ; ${mark} rdfs:label "File analysis" . d3f:B ${TECHNIQUE} ; ${mark} rdfs:label "Analysis of files" .`
    const { changes } = compareTurtle(two(''), two('owl:deprecated true ;'))
    const successorsByChange = changes.map(({ change, successors }) => [change, successors])
    expect(successorsByChange).toEqual([
      ['deprecated', []],
      ['deprecated', []],
    ])
  })

  it('lists statements between records, and is symmetric', () => {
    const base = `d3f:R a owl:ObjectProperty . d3f:A ${TECHNIQUE} . d3f:B ${TECHNIQUE} .`
    const linked = `${base} d3f:A d3f:R d3f:B ; d3f:seen d3f:B .`
    const statement = { subject: 'd3f:A', relation: 'd3f:R', object: 'd3f:B' }
    expect(compareTurtle(base, linked).statements).toEqual({ added: [statement], removed: [] })
    expect(compareTurtle(linked, base).statements).toEqual({ added: [], removed: [statement] })
  })

  it('stops at cycles of blank nodes, and writes no formulas into cells', () => {
    const round = `d3f:A ${TECHNIQUE} ; d3f:x _:a . _:a d3f:y _:b . _:b d3f:y _:a .`
    const comparison = compareTurtle(`d3f:A ${TECHNIQUE} ; rdfs:label "A" .`, `${round} d3f:A rdfs:label "=A" .`)
    expect(comparison.changes).toHaveLength(2)
    expect([...changesCsv(comparison)].join('')).toContain("'=A")
  })
})

const REAL = ['d3fend-0.17.0.ttl', 'd3fend-source-2025-08.ttl'].map((name) => join(CORPUS, 'ontology', name))

describe.skipIf(!REAL.every((file) => existsSync(file)))('Two real releases', () => {
  const [before, after] = REAL.filter((file) => existsSync(file)).map((file) => releaseOf(readFileSync(file)))
  if (before === undefined || after === undefined) return
  const comparison = compareReleases(before, after)

  it('differ as a plain comparison of their triples does', () => {
    expect(factsOf(comparison)).toEqual(plainDifference(before.statements, after.statements))
  })

  it('have the same difference every time', () => {
    expect(JSON.stringify(compareReleases(before, after))).toBe(JSON.stringify(comparison))
  })
})

/** Facts of the answer about records with one IRI in both releases, as `sign IRI property text`. */
function factsOf({ changes }: Changes): readonly string[] {
  return changes
    .flatMap(factsOfOne)
    .filter((fact) => !fact.includes(' [ ') && !OTHER_IRIS.some((iri) => fact.includes(iri)))
    .sort(compareCodeUnits)
}

function factsOfOne({ change, iri, property, ...values }: Changes['changes'][number]) {
  const { old = [], new: now = [] } = values
  if (['added', 'removed'].includes(change)) return [`${change} ${iri}`]
  if (change === 'deprecated') return [`+ ${iri} owl:deprecated true`]
  if (change === 're-identified') {
    const [was = ''] = old
    return was === compact(iri) ? [] : [`added ${iri}`, `removed ${was.replace(/^d3f:/, D3F)}`]
  }
  if (property === 'kind') return []
  // A renamed record is listed with all its labels; labels that stay are no difference.
  const unchanged = change === 'renamed' ? old.filter((text) => now.includes(text)) : []
  const facts = [...old.map((text) => ['-', text]), ...now.map((text) => ['+', text])]
  return facts
    .filter(([, text = '']) => !unchanged.includes(text))
    .map(([sign = '', text = '']) => `${sign} ${iri} ${property ?? 'rdfs:label'} ${text}`)
}

/** Records that have another IRI now: what is said of them is compared under it, so the triples do not line up. */
const OTHER_IRIS = [`${D3F}NetworkAgent `, `${D3F}NetworkPacket `, `${D3F}depends-on `]

/** Finds the same facts by a loop over both lists of triples, independently of the service. */
function plainDifference(before: readonly Statement[], after: readonly Statement[]): readonly string[] {
  const old = recordIris(before)
  const now = recordIris(after)
  const facts: string[] = []
  for (const iri of now) if (!old.has(iri)) facts.push(`added ${iri}`)
  for (const iri of old) if (!now.has(iri)) facts.push(`removed ${iri}`)
  const oldKeys = new Set(before.map(keyOf))
  const newKeys = new Set(after.map(keyOf))
  const say = (sign: string, statements: readonly Statement[], others: ReadonlySet<string>) => {
    for (const statement of statements) {
      const { subject, predicate, object } = statement
      if (object.type === 'bnode' || !old.has(subject.value) || !now.has(subject.value)) continue
      if (others.has(keyOf(statement))) continue
      const text = object.type === 'uri' ? compact(object.value) : object.value
      facts.push(`${sign} ${subject.value} ${compact(predicate.value)} ${text}`)
    }
  }
  say('-', before, newKeys)
  say('+', after, oldKeys)
  return facts
    .filter((fact) => !fact.includes(' [ ') && !OTHER_IRIS.some((iri) => fact.includes(iri)))
    .sort(compareCodeUnits)
}

function recordIris(statements: readonly Statement[]): ReadonlySet<string> {
  const iris = new Set<string>()
  const roots = [d3f.DefensiveTactic, d3f.DefensiveTechnique, d3f.OffensiveTechnique, d3f.DigitalArtifact]
  for (const root of roots) for (const iri of belowOf(statements, root)) iris.add(iri)
  for (const { subject, predicate, object } of statements) {
    const isRelation = predicate.value === rdf.type && object.value === owl.ObjectProperty
    const isWeakness = predicate.value === d3f.cweId
    if (subject.type === 'uri' && (isRelation || isWeakness)) iris.add(subject.value)
  }
  return iris
}

function belowOf(statements: readonly Statement[], root: string): ReadonlySet<string> {
  const iris = new Set<string>([root])
  const edges = statements.filter(
    ({ subject, predicate }) => predicate.value === rdfs.subClassOf && subject.type === 'uri',
  )
  for (let size = 0; size !== iris.size;) {
    size = iris.size
    for (const { subject, object } of edges) if (iris.has(object.value)) iris.add(subject.value)
  }
  iris.delete(root)
  return iris
}

function keyOf({ subject, predicate, object }: Statement): string {
  return `${subject.value} ${predicate.value} ${termKey(object)}`
}

function compact(iri: string): string {
  for (const [prefix, namespace] of Object.entries(WELL_KNOWN_PREFIXES))
    if (iri.startsWith(namespace) && !/[/#]/.test(iri.slice(namespace.length)))
      return `${prefix}:${iri.slice(namespace.length)}`
  return iri
}
