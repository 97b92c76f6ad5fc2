import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EmbeddedGraph } from '../../../../../src/graph/store.ts'
import { DOCUMENT, type Document } from '../../../../../src/http/answer/answers.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import { BASE, benchmarkOf, ruleOf } from '../sample.ts'
import { RULES, SOMEBODY, under } from '../under.ts'

/** The number of triples in a document, whatever its syntax. */
function sizeOf({ body, mediaType }: Document): number {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) throw new Error('It is in pieces')
  const graph = new EmbeddedGraph()
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  graph.load(bytes, mediaType.replace(/;.*/, ''))
  return graph.size
}

describe('The IRI of a resource', () => {
  const release = { benchmark: 'Test_STIG', version: 'V1R1' }
  const resources = [
    ['describeBenchmarkLine', { benchmark: 'Test_STIG' }],
    ['describeBenchmark', release],
    ['describeRule', { ...release, rule: 'SV-3_rule' }],
    ['describeCci', { cci: 'CCI-000044' }],
    ['describeRequirement', { requirement: 'SRG-OS-000001-GPOS-00001' }],
  ] as const

  it.each(resources)('returns the same statements as JSON-LD and Turtle: %s', async (operation, params) => {
    const { ask, headers, store: put } = await under()
    await put(benchmarkOf({ rules: RULES }))
    const asked = { params, caller: SOMEBODY }
    const json = DOCUMENT.parse(await ask(operation, asked))
    const turtle = DOCUMENT.parse(await ask(operation, { ...asked, accept: 'text/turtle' }))
    expect(json.mediaType).toBe('application/ld+json')
    expect(turtle.mediaType).toBe('text/turtle; charset=utf-8')
    expect(headers.get('Vary')).toBe('Accept')
    expect(sizeOf(json)).toBeGreaterThan(1)
    expect(sizeOf(json)).toBe(sizeOf(turtle))
  })

  it('accepts the ids of XCCDF 1.2', async () => {
    const { ask, store: put } = await under()
    await put(benchmarkOf({ rules: RULES }))
    const long = (kind: string, id: string): string => `xccdf_mil.disa.stig_${kind}_${id}`
    const longer = { ...release, benchmark: long('benchmark', 'Test_STIG') }
    for (const [operation, short, params] of [
      ['describeBenchmarkLine', { benchmark: 'Test_STIG' }, { benchmark: longer.benchmark }],
      ['describeBenchmark', release, longer],
      ['describeRule', { ...release, rule: 'SV-3_rule' }, { ...longer, rule: long('rule', 'SV-3_rule') }],
    ] as const)
      expect(await ask(operation, { params, caller: SOMEBODY })).toEqual(
        await ask(operation, { params: short, caller: SOMEBODY }),
      )
  })

  it.each(resources)('returns 404 for an unknown resource: %s', async (operation, params) => {
    const { ask } = await under()
    const unknown = Object.fromEntries(Object.keys(params).map((name) => [name, `no> "${name}"`]))
    const asked = { params: unknown, caller: SOMEBODY }
    expect((await refusalOf(() => ask(operation, asked))).code).toBe('not_found')
  })

  it('uses the terms of the vocabulary for the texts of a rule', async () => {
    const { ask, store: put } = await under()
    const fix = { fixref: null, fixId: null, text: 'Mend.' }
    const twice = ruleOf('SV-4_rule', [], { fixes: [fix, { ...fix, fixId: 'F-2' }] })
    await put(benchmarkOf({ rules: [...RULES, twice] }))
    const params = { ...release, rule: 'SV-4_rule' }
    const accept = 'application/json'
    const { body } = z
      .object({ body: z.string() })
      .parse(await ask('describeRule', { params, accept, caller: SOMEBODY }))
    const { '@graph': graph } = z.object({ '@graph': z.array(z.unknown()) }).parse(JSON.parse(body))
    expect(graph).toContainEqual(
      expect.objectContaining({
        '@type': 'guidance:Rule',
        'dcterms:title': 'Title of SV-4_rule',
        'guidance:discussion': 'Why.',
        'guidance:check': 'Look.',
        'guidance:fix': 'Mend.',
      }),
    )
  })

  it('accepts ids that are percent-encoded', async () => {
    const { ask, store: put } = await under()
    const ruleId = 'SV-1> <urn:p> <urn:o> . <urn:x'
    await put(benchmarkOf({ benchmarkId: 'a b/..%2e', rules: [ruleOf(ruleId, [])] }))
    const params = { benchmark: 'a b/..%2e', version: 'V1R1', rule: ruleId }
    const found = await ask('describeRule', { params, caller: SOMEBODY, accept: 'text/turtle' })
    const iri = `${BASE}/benchmarks/a%20b%2F..%252e/V1R1/rules/SV-1%3E%20%3Curn%3Ap%3E`
    expect(DOCUMENT.parse(found).body).toContain(`\n<${iri}`)
  })

  it('returns controls, but no rules, of a CCI', async () => {
    const { ask, store: put } = await under()
    await put(benchmarkOf({ rules: RULES }))
    const { body } = DOCUMENT.parse(await ask('describeCci', { params: { cci: 'CCI-000044' } }))
    expect(body).toContain('d3f:exactly')
    expect(body).not.toContain('SV-')
  })
})

describe('The vocabulary', () => {
  it.each([
    [undefined, 'text/turtle; charset=utf-8'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/turtle; charset=utf-8'],
    ['application/ld+json', 'application/ld+json'],
    ['application/json', 'application/ld+json'],
    [
      'application/ld+json;profile="http://www.w3.org/ns/json-ld#flattened"',
      'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted http://www.w3.org/ns/json-ld#flattened"',
    ],
    [
      'application/ld+json;q=0.1, application/ld+json; profile="http://www.w3.org/ns/json-ld#expanded"',
      'application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded http://www.w3.org/ns/json-ld#flattened"',
    ],
    ['application/ld+json; charset=utf-8; profile="a,b;c"', 'application/ld+json'],
    ['text/turtle;q=0, */*', 'application/ld+json'],
    ['text/turtle;q=0.5, application/ld+json;profile="x";q=0.6', 'application/ld+json'],
    ['application/ld+json;profile="x";q=0, */*', 'text/turtle; charset=utf-8'],
    ['application/rdf+xml', 'application/rdf+xml'],
    ['application/n-triples;q=0.4, text/html', 'application/n-triples'],
  ])('is sent for %s as %s', async (accept, mediaType) => {
    const { ask } = await under()
    const asked = accept === undefined ? {} : { accept }
    const document = DOCUMENT.parse(await ask('getGuidanceVocabulary', asked))
    expect(document).toMatchObject({ mediaType, fileName: null })
    expect(sizeOf(document)).toBeGreaterThan(100)
  })

  it.each(['image/png', 'text/turtle;q=0, application/ld+json;q=0'])(
    'is refused if no accepted type is available: %s',
    async (accept) => {
      const { ask } = await under()
      const refusal = await refusalOf(() => ask('getGuidanceVocabulary', { accept }))
      expect(refusal.code).toBe('not_acceptable')
    },
  )
})
