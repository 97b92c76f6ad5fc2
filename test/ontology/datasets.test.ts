import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readNTriples } from '../../src/graph/syntax/n3.ts'
import { canonicalOf, readByAll } from '../support/rdf-tools.ts'
import { ingestInto, STARTER, starterService } from '../support/service.ts'

const service = starterService()
const VOID = '/.well-known/void'

async function triples(): Promise<ReturnType<typeof readNTriples>> {
  const { body } = await service().get(VOID, { headers: { accept: 'application/n-triples' } })
  return readNTriples(body.toString())
}

function objectsOf(statements: ReturnType<typeof readNTriples>, end: string): readonly string[] {
  return statements.flatMap(({ predicate, object }) => (predicate.value.endsWith(end) ? [object.value] : []))
}

describe('The description of the data', () => {
  it('can be revalidated by a page of another origin', async () => {
    const { status, headers } = await service().get(VOID, { method: 'OPTIONS' })
    expect([status, headers.allow]).toEqual([204, 'GET, HEAD, OPTIONS'])
    expect(headers['access-control-allow-headers']).toBe('*')
  })

  it('is one graph in every form, and Turtle by default', async () => {
    const asked = [
      ['turtle', '*/*', 'text/turtle; charset=utf-8'],
      ['jsonLd', 'application/ld+json', 'application/ld+json'],
      ['rdfXml', 'application/rdf+xml;q=0.9', 'application/rdf+xml'],
      ['nTriples', 'application/n-triples', 'application/n-triples'],
    ] as const
    const documents = await Promise.all(
      asked.map(async ([syntax, accept, type]) => {
        const { headers, body } = await service().get(VOID, { headers: { accept } })
        expect(headers).toMatchObject({ 'content-type': type, vary: 'Accept' })
        return { syntax, text: body.toString() }
      }),
    )
    const expected = await canonicalOf(documents.at(-1)?.text ?? '')
    for (const { document, tool, graph } of await readByAll(documents))
      expect([document.syntax, tool, graph]).toEqual([document.syntax, tool, expected])
  })

  it('links to existing files', async () => {
    const statements = await triples()
    const files = new Set(objectsOf(statements, '#dataDump'))
    expect(files.size).toBe(10)
    expect(new Set(objectsOf(statements, '#downloadURL'))).toEqual(files)
    for (const file of files) expect((await service().get(new URL(file).pathname)).status).toBe(200)
  })

  it('describes the releases, and follows a new one', async () => {
    const { statements = 0 } = service().ontology.current?.manifest.counts ?? {}
    expect(objectsOf(await triples(), '#triples')).toContain(String(statements))
    const before = (await service().get(VOID)).headers.etag ?? ''
    const again = { headers: { 'if-none-match': before } }
    expect((await service().get(VOID, again)).status).toBe(304)
    await ingestInto(dirname(service().folder.root), STARTER, { version: '7.7.7', activate: false })
    expect(objectsOf(await triples(), 'dcat#version')).toContain('7.7.7')
    expect((await service().get(VOID, again)).status).toBe(200)
  })

  it('returns 406 if Accept has no RDF format', async () => {
    const refused = await service().get(VOID, { headers: { accept: 'text/html' } })
    expect(refused.status).toBe(406)
    expect(refused.body.toString()).toContain('application/rdf+xml')
  })
})
