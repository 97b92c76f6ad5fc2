import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { SYNTAXES, type SyntaxName } from '../../src/graph/syntax/syntaxes.ts'
import { FILE_NAMES, FILES } from '../../src/ontology/views/whole/whole.ts'
import { readByAll } from '../support/rdf-tools.ts'
import { openFixture } from '../support/release.ts'
import { jsonOf, starterService, type RawResponse } from '../support/service.ts'

const service = starterService()

const CURRENT = '/ontologies/current'
const NAMES: readonly SyntaxName[] = ['turtle', 'nTriples', 'nQuads', 'rdfXml', 'jsonLd']
const node = z.looseObject({ '@id': z.string() })

function get(path: string, accept?: string): Promise<RawResponse> {
  return service().get(path, accept === undefined ? {} : { headers: { accept } })
}

describe('The whole ontology', () => {
  it.each(['small', 'generality'])('is the same graph in every syntax, to every tool: %s', async (fixture) => {
    const release = await openFixture(fixture)
    const canonical = [...(release.canonical?.() ?? [])].join('')
    const documents = await Promise.all(
      NAMES.map(async (syntax) => {
        const path = `${CURRENT}/d3fend.${SYNTAXES[syntax].extension}`
        const view = FILES.find((file) => file.path === path)
        return { syntax, text: [...(view?.format.write(await view.answer(release)) ?? [])].join('') }
      }),
    )
    const readings = await readByAll(documents)
    expect(readings.length).toBeGreaterThanOrEqual(6)
    for (const { document, tool, graph } of readings)
      expect([document.syntax, tool, graph]).toEqual([document.syntax, tool, canonical])
  })

  it.each(NAMES)('has the media type of its syntax: %s', async (syntax) => {
    const { headers } = await get(`${CURRENT}/d3fend.${SYNTAXES[syntax].extension}`)
    expect(headers['content-type']).toBe(SYNTAXES[syntax].contentType)
  })

  it('has the digest that its version states', async () => {
    const { body } = await get(`${CURRENT}/d3fend.nq`)
    const digest = createHash('sha256').update(body).digest('hex')
    expect(jsonOf(await get('/api/version.json'))).toMatchObject({ ontology_hash_sha256: digest })
  })

  it.each(FILE_NAMES)('is the same at each address: %s', async (name) => {
    const current = await get(`${CURRENT}/${name}`)
    expect([current.status, current.headers['cache-control']]).toEqual([200, 'no-cache'])
    const pinned = `/ontologies/d3fend/0.1.0-starter/${name}`
    for (const path of [`/ontologies/${name}`, `/ontologies/d3fend/current/${name}`, pinned]) {
      const { body, headers } = await get(path)
      const same = body.equals(current.body) && headers.etag === current.headers.etag
      expect({ path, same }).toEqual({ path, same: true })
      const isPinned = headers['cache-control']?.includes('immutable')
      expect({ path, isPinned }).toEqual({ path, isPinned: path === pinned })
    }
  })

  it('has JSON with a context and prefixed keys', async () => {
    const answer = await get('/ontologies/d3fend.json')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const { '@context': context, '@graph': graph } = z
      .object({ '@context': z.record(z.string(), z.string()), '@graph': z.array(node) })
      .parse(jsonOf(answer))
    expect(context['d3f']).toBe('http://d3fend.mitre.org/ontologies/d3fend.owl#')
    const technique = graph.find((member) => member['@id'] === 'd3f:FileAnalysis')
    expect(technique).toMatchObject({ 'd3f:d3fend-id': 'D3-FA', 'rdfs:label': 'File Analysis' })
  })

  it('has the techniques of the matrix as CSV, each below its superclass', async () => {
    const rows = z.array(z.array(z.string())).parse(parse((await get('/ontologies/d3fend.csv')).body.toString()))
    const [head, ...techniques] = rows
    expect(head?.join()).toBe(
      'ID,D3FEND Tactic,D3FEND Technique,D3FEND Technique Level 0,D3FEND Technique Level 1,Definition',
    )
    expect(techniques.length).toBeGreaterThan(10)
    for (const [id, tactic, ...rest] of techniques) {
      expect([id, tactic].map((cell) => cell !== '')).toEqual([true, true])
      expect(rest.slice(0, 3).filter((cell) => cell !== '')).toHaveLength(1)
    }
  })
})

describe('An address of the ontology without a file', () => {
  it.each([
    [undefined, 'text/turtle; charset=utf-8'],
    ['*/*', 'text/turtle; charset=utf-8'],
    ['application/rdf+xml, text/turtle;q=0.9', 'application/rdf+xml'],
    ['text/turtle;q=0.5, application/ld+json', 'application/ld+json'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/n-quads, */*;q=0.1', 'application/n-quads'],
  ])('gives for Accept %s: %s', async (accept, type) => {
    for (const path of [CURRENT, '/ontologies/d3fend', '/ontologies/d3fend/0.1.0-starter']) {
      const { status, headers } = await get(path, accept)
      expect([status, headers['content-type']]).toEqual([200, type])
      expect(headers.vary).toBe('Accept-Encoding, Accept')
    }
  })

  it('is refused with the list of existing files', async () => {
    const refused = await get(CURRENT, 'text/html, image/*')
    expect(refused.status).toBe(406)
    expect(jsonOf(refused)).toMatchObject({ code: 'not_acceptable' })
    expect(refused.body.toString()).toContain('application/n-triples')
  })
})

describe('An address of an unknown file', () => {
  it.each([
    ['/ontologies/d3fnd.ttl', 404, [`${CURRENT}/d3fend.ttl`]],
    [`${CURRENT}/d3fend.hdt`, 404, undefined],
    ['/ontologies/other/1.0/d3fend.tll', 404, undefined],
    ['/ontologies/d3fend/9.9.9/d3fend.jsn', 404, null],
    ['/ontologies/d3fend/9.9.9/d3fend.ttl', 404, null],
    ['/ontologies/d3fend/..%2F..%2Factive/d3fend.ttl', 404, null],
    [`/ontologies/${'x'.repeat(2000)}`, 404, null],
    ['/ontologies/', 404, null],
  ])('is refused with the nearest names: %s', async (path, status, near) => {
    const answer = await get(path)
    expect(answer.status).toBe(status)
    const { did_you_mean: names } = z.object({ did_you_mean: z.array(z.string()).optional() }).parse(jsonOf(answer))
    if (near === null) expect(names).toBeUndefined()
    else expect(names).toEqual(near ?? containing(`${CURRENT}/d3fend.`))
  })
})

describe('An address of an unknown file of a release', () => {
  it('is refused with the requested name, and with suggestions of that release', async () => {
    const home = '/ontologies/d3fend/0.1.0-starter'
    const answer = jsonOf(await get(`${home}/d3fend.jsn`))
    expect(answer).toMatchObject({ did_you_mean: containing(`${home}/d3fend.`) })
    const above = await get(`${home}/..%2f`)
    expect(above.status).toBe(404)
    expect(above.body.toString()).toContain(`There is no ${home}/../.`)
  })
})

function containing(beginning: string): unknown {
  return expect.arrayContaining([expect.stringContaining(beginning)])
}
