import { afterEach, describe, expect, it, vi } from 'vitest'
import { EmbeddedGraph } from '../../../src/graph/store.ts'
import { decideIdentity } from '../../../src/ontology/ingest/identity.ts'
import { refusalOf } from '../../support/refusal.ts'
import { withPrefixes } from '../../support/release.ts'

const ONE = `<http://d3fend.mitre.org/ontologies/d3fend.owl> a owl:Ontology ;
  owl:versionInfo "1.0.0" ; :release-date "2026-01-31T00:00:00"^^xsd:dateTime .`

function graphOf(turtle: string): EmbeddedGraph {
  const graph = new EmbeddedGraph()
  graph.load(new TextEncoder().encode(withPrefixes(turtle)), 'text/turtle')
  return graph
}

/** Lines of the dump that state versions and dates. */
function stated(graph: EmbeddedGraph): readonly string[] {
  const lines = graph.dump().split('\n')
  return lines.filter((line) => /versionInfo|release-date/.test(line)).sort()
}

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('settleIdentity', () => {
  it('takes version and date from the sources and leaves the graph unchanged', async () => {
    const graph = graphOf(ONE)
    const before = graph.dump()
    expect(await decideIdentity(graph, {})).toStrictEqual({ version: '1.0.0', releaseDate: '2026-01-31T00:00:00' })
    expect(graph.dump()).toBe(before)
  })

  it('prefers the values of the caller and states them', async () => {
    const graph = graphOf(ONE)
    expect(await decideIdentity(graph, { version: '2.0.0', date: '2026-03-01' })).toStrictEqual({
      version: '2.0.0',
      releaseDate: '2026-03-01T00:00:00.000Z',
    })
    const [date, version, ...rest] = stated(graph)
    expect(rest).toStrictEqual([])
    expect(version).toContain('"2.0.0"')
    expect(date).toContain('"2026-03-01T00:00:00')
  })

  it.each([
    ['http://d3fend.mitre.org/ontologies/d3fend.owl', 'http://d3fend.mitre.org/ontologies/d3fend/2.0.0/d3fend.owl'],
    ['http://x.example/onto', 'http://x.example/onto/2.0.0/onto'],
    ['http://x.example/', 'http://x.example/2.0.0'],
    ['urn:onto', 'urn:onto/2.0.0/onto'],
  ])('states the IRI of the version that the caller gives for <%s>', async (ontology, versionIri) => {
    const graph = graphOf(`<${ontology}> a owl:Ontology ; owl:versionInfo "1.0.0" ;
      owl:versionIRI <http://x.example/1.0.0> ; :release-date "2026-01-31T00:00:00"^^xsd:dateTime .`)
    await decideIdentity(graph, { version: '2.0.0' })
    const lines = graph.dump().split('\n')
    expect(lines.filter((line) => line.includes('versionIRI'))).toEqual([
      `<${ontology}> <http://www.w3.org/2002/07/owl#versionIRI> <${versionIri}> .`,
    ])
  })

  it('keeps the stated date when only the version is given', async () => {
    const graph = graphOf(ONE)
    expect(await decideIdentity(graph, { version: '2.0.0' })).toStrictEqual({
      version: '2.0.0',
      releaseDate: '2026-01-31T00:00:00',
    })
    expect(stated(graph)).toHaveLength(2)
  })

  it('names an ontology that no source describes', async () => {
    const graph = graphOf(':A rdfs:label "A" .')
    await decideIdentity(graph, { version: '2.0.0', date: '2026-03-01' })
    expect(stated(graph)).toHaveLength(2)
    for (const line of stated(graph)) {
      expect(line).toMatch(/^<http:\/\/d3fend\.mitre\.org\/ontologies\/d3fend\.owl> /)
    }
  })

  it('states version and date once where two sources state the same', async () => {
    const graph = graphOf(`${ONE} <http://example.org/o> a owl:Ontology ; owl:versionInfo "1.0.0" .`)
    expect((await decideIdentity(graph, {})).version).toBe('1.0.0')
    expect(stated(graph)).toHaveLength(2)
  })

  it('accepts a date with time and zone as the instant that it is', async () => {
    const { releaseDate } = await decideIdentity(graphOf(ONE), { date: '2026-03-01T12:00:00+02:00' })
    expect(releaseDate).toBe('2026-03-01T10:00:00.000Z')
  })

  it('takes a time without a zone for UTC, wherever it runs', async () => {
    vi.stubEnv('TZ', 'America/New_York')
    const { releaseDate } = await decideIdentity(graphOf(ONE), { date: '2026-03-01T12:00:00' })
    expect(releaseDate).toBe('2026-03-01T12:00:00.000Z')
  })
})

describe('settleIdentity refuses', () => {
  it('sources without a version, and names the option', async () => {
    const graph = graphOf(':o a owl:Ontology ; :release-date "2026-01-31T00:00:00"^^xsd:dateTime .')
    const refusal = await refusalOf(() => decideIdentity(graph, {}))
    expect(refusal.code).toBe('version_unknown')
    expect(refusal.message).toBe('The sources do not state owl:versionInfo. Give --version.')
  })

  it('sources without a date, and names the option', async () => {
    const graph = graphOf(':o a owl:Ontology ; owl:versionInfo "1.0.0" .')
    const refusal = await refusalOf(() => decideIdentity(graph, {}))
    expect(refusal.code).toBe('version_unknown')
    expect(refusal.message).toBe('The sources do not state d3f:release-date. Give --date.')
  })

  it.each([
    {
      what: 'both are missing',
      turtle: ':A rdfs:label "A" .',
      given: {},
      message:
        'The sources do not state owl:versionInfo. The sources do not state d3f:release-date. Give --version and --date.',
    },
    {
      what: 'the version cannot name a release and the date is missing',
      turtle: ':A rdfs:label "A" .',
      given: { version: '../1' },
      message:
        '"../1" cannot name a release: letters, digits and . _ + - only, at most 64. ' +
        'The sources do not state d3f:release-date. Give --version and --date.',
    },
    {
      what: 'the version is missing and the given date is wrong',
      turtle: ':A rdfs:label "A" .',
      given: { date: 'soon' },
      message: 'The sources do not state owl:versionInfo. --date soon: a date looks like 2026-01-31. Give --version.',
    },
    {
      what: 'several versions are stated and the stated date is wrong',
      turtle: ':o a owl:Ontology ; owl:versionInfo "1", "2" ; :release-date "soon" .',
      given: {},
      message:
        'The sources state several owl:versionInfo (1, 2). d3f:release-date "soon" is not a date. ' +
        'Give --version and --date.',
    },
  ])('sources with one message where $what', async ({ turtle, given, message }) => {
    const refusal = await refusalOf(() => decideIdentity(graphOf(turtle), given))
    expect(refusal.code).toBe('version_unknown')
    expect(refusal.message).toBe(message)
  })

  it('sources with an invalid date, naming it', async () => {
    const graph = graphOf(':o a owl:Ontology ; owl:versionInfo "1.0.0" ; :release-date "soon" .')
    const refusal = await refusalOf(() => decideIdentity(graph, {}))
    expect(refusal.code).toBe('version_unknown')
    expect(refusal.message).toBe('d3f:release-date "soon" is not a date. Give --date.')
  })

  it('sources that state several versions or dates, naming them', async () => {
    const versions = graphOf(`${ONE} :o a owl:Ontology ; owl:versionInfo "2.0.0" .`)
    const refusal = await refusalOf(() => decideIdentity(versions, {}))
    expect(refusal.code).toBe('version_unknown')
    expect(refusal.message).toContain('1.0.0, 2.0.0')
    const dates = graphOf(`${ONE} :o a owl:Ontology ; :release-date "2026-02-01T00:00:00"^^xsd:dateTime .`)
    const other = await refusalOf(() => decideIdentity(dates, { version: '3.0.0' }))
    expect(other.message).toContain('several d3f:release-date')
  })

  it.each(['../up', 'a/b', '.hidden', '', 'a b', 'ä', '-1', 'x'.repeat(65)])(
    'the version %j, which cannot name a folder',
    async (version) => {
      const refusal = await refusalOf(() => decideIdentity(graphOf(ONE), { version }))
      expect(refusal.code).toBe('version_unknown')
    },
  )

  it('a stated version that cannot name a folder', async () => {
    const graph = graphOf(ONE.replace('1.0.0', '1.0.0 (draft)'))
    const refusal = await refusalOf(() => decideIdentity(graph, {}))
    expect(refusal.message).toContain('"1.0.0 (draft)" cannot name a release')
  })

  it.each(['31.01.2026', 'today', '2026', '2026-13-01', '2026-1-31', '2026-01-31Tnoon', ''])(
    'the date %j',
    async (date) => {
      const refusal = await refusalOf(() => decideIdentity(graphOf(ONE), { date }))
      expect(refusal.code).toBe('usage')
      expect(refusal.message).toContain(`--date ${date}`)
    },
  )

  it('a day that the month does not have', async () => {
    const refusal = await refusalOf(() => decideIdentity(graphOf(ONE), { date: '2026-02-30' }))
    expect(refusal.code).toBe('usage')
  })

  it('before it changes the graph', async () => {
    const graph = graphOf(ONE)
    const before = graph.dump()
    await refusalOf(() => decideIdentity(graph, { version: '2.0.0', date: 'soon' }))
    expect(graph.dump()).toBe(before)
  })
})
