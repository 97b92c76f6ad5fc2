import { describe, expect, it } from 'vitest'
import { SYNTAXES, type SyntaxName } from '../../src/graph/syntax/syntaxes.ts'
import { canonicalOf, readByAll } from '../support/rdf-tools.ts'
import { jsonOf, starterService, type RawResponse } from '../support/service.ts'

const service = starterService()

const TECHNIQUE = '/api/technique/d3f:FileAnalysis.json'
const DESCRIBED = '/api/ontology/describe/d3f:FileAnalysis.json'
const INBOUND = '/api/ontology/describe/inbound/d3f:FileAnalysis.json'
const PROFILE = 'http://www.w3.org/ns/json-ld#'
const NAMES: readonly SyntaxName[] = ['turtle', 'nTriples', 'rdfXml', 'jsonLd']

function get(path: string, accept?: string): Promise<RawResponse> {
  return service().get(path, accept === undefined ? {} : { headers: { accept } })
}

describe('A record', () => {
  it.each([
    [undefined],
    ['*/*'],
    ['application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['text/turtle;q=0.5, application/json'],
    ['application/*, text/turtle;q=0.9'],
    ['text/turtle;q=0, */*'],
  ])('is the JSON that it has always been for Accept %s', async (accept) => {
    const usual = await get(TECHNIQUE)
    const { status, headers, body } = await get(TECHNIQUE, accept)
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect([body.equals(usual.body), headers.etag]).toEqual([true, usual.headers.etag])
    expect(headers.vary).toBe('Accept-Encoding, Accept')
    expect(headers['link']).toContain('<>; rel="alternate"; type="text/turtle"')
  })

  it.each([TECHNIQUE, '/ontologies/current/d3fend.ttl', '/releases/0.1.0-starter' + TECHNIQUE])(
    'names its licence, and where the data are described: %s',
    async (path) => {
      const links = '<https://spdx.org/licenses/Apache-2.0>; rel="license", </.well-known/void>; rel="describedby"'
      expect((await get(path)).headers['link']).toContain(links)
      // Once more, from memory.
      expect((await get(path)).headers['link']).toContain(links)
    },
  )

  it.each([TECHNIQUE, DESCRIBED, INBOUND])('is one graph in every syntax and for every tool: %s', async (path) => {
    const documents = await Promise.all(
      NAMES.map(async (syntax) => {
        const { headers, body } = await get(path, SYNTAXES[syntax].mediaType)
        expect(headers['content-type']).toBe(SYNTAXES[syntax].contentType)
        return { syntax, text: body.toString() }
      }),
    )
    const triples = documents.find(({ syntax }) => syntax === 'nTriples')?.text ?? ''
    const expected = await canonicalOf(triples)
    expect(expected.split('\n').length).toBeGreaterThan(2)
    for (const { document, tool, graph } of await readByAll(documents))
      expect([document.syntax, tool, graph]).toEqual([document.syntax, tool, expected])
  })

  it('has the statements of its description', async () => {
    const [record, described] = [await get(TECHNIQUE, 'text/turtle'), await get(DESCRIBED, 'text/turtle')]
    expect(record.body.toString()).toBe(described.body.toString())
    expect(record.body.toString()).toContain('d3f:d3fend-id "D3-FA"')
  })

  it('is JSON-LD in the requested profile', async () => {
    const asked = (profile: string): string => `application/ld+json;profile="${PROFILE}${profile}"`
    const expanded = await get(DESCRIBED, asked('expanded'))
    expect(expanded.headers['content-type']).toBe(
      `application/ld+json;profile="${PROFILE}expanded ${PROFILE}flattened"`,
    )
    expect(Array.isArray(jsonOf(expanded))).toBe(true)
    for (const profile of ['compacted', 'flattened'])
      expect(jsonOf(await get(DESCRIBED, asked(profile)))).toHaveProperty('@context')
    const preferred = await get(DESCRIBED, `${asked('expanded')};q=0.4, ${asked('compacted')}`)
    expect(jsonOf(preferred)).toHaveProperty('@graph')
    const unknown = await get(DESCRIBED, 'application/ld+json;profile="urn:no:profile"')
    expect(unknown.headers['content-type']).toBe('application/ld+json')
  })

  it('has a separate entity tag for each form and coding', async () => {
    const accepts = ['*/*', ...NAMES.map((name) => SYNTAXES[name].mediaType)]
    const tags = new Set<string | undefined>()
    for (const accept of accepts) {
      for (const coding of ['identity', 'gzip', 'br']) {
        const headers = { accept, 'accept-encoding': coding }
        const { headers: sent } = await service().get(DESCRIBED, { headers })
        tags.add(sent.etag)
        const again = { headers: { ...headers, 'if-none-match': sent.etag ?? '' } }
        expect((await service().get(DESCRIBED, again)).status).toBe(304)
      }
    }
    expect(tags.size).toBe(accepts.length * 3)
  })

  it('returns 406 with the available types if none is acceptable', async () => {
    for (const accept of ['image/png', 'application/json;q=0, text/n3']) {
      const refused = await get(TECHNIQUE, accept)
      expect(refused.status).toBe(406)
      expect(refused.body.toString()).toContain('application/ld+json, text/turtle')
    }
  })

  it('redirects browsers to its page, or to that of the pinned release', async () => {
    const accept = 'text/html, application/xhtml+xml;q=0.9'
    const led = await get(TECHNIQUE, accept)
    expect([led.status, led.headers.location]).toEqual([303, '/technique/d3f:FileAnalysis/'])
    expect(led.headers.vary).toBe('Accept-Encoding, Accept')
    const described = await get('/api/ontology/describe/d3f%3AFileAnalysis.json', accept)
    expect(described.headers.location).toBe('/ontology/describe/d3f:FileAnalysis/')
    const pinned = await get(`/releases/0.1.0-starter${TECHNIQUE}`, accept)
    expect(pinned.headers.location).toBe('/technique/d3f:FileAnalysis/?release=0.1.0-starter')
    expect((await get(INBOUND, accept)).status).toBe(406)
  })

  it('is as unknown in RDF as in JSON', async () => {
    const refused = await get('/api/technique/d3f:FileAnalysi.json', 'text/turtle')
    expect(refused.status).toBe(404)
    expect(jsonOf(refused)).toMatchObject({ did_you_mean: ['d3f:FileAnalysis'] })
  })

  it('of a pinned release is RDF as well, and kept by caches', async () => {
    const pinned = await get(`/releases/0.1.0-starter${TECHNIQUE}`, 'text/turtle')
    const current = await get(TECHNIQUE, 'text/turtle')
    expect(pinned.body.equals(current.body)).toBe(true)
    expect(pinned.headers['cache-control']).toContain('immutable')
  })
})

describe('A list', () => {
  it('stays JSON for any Accept header', async () => {
    const { status, headers } = await get('/api/technique/all.json', 'text/turtle')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  })
})
