import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PublicGraphs } from '../../src/contracts/graphs.ts'
import { EmbeddedGraph, NamedGraphs } from '../../src/graph/store.ts'
import { WELL_KNOWN_PREFIXES } from '../../src/graph/vocabulary.ts'
import { canonicalNQuads } from '../../src/ontology/ingest/canonical.ts'
import { CORPUS } from '../support/corpus.ts'
import { asRead, ReadFile } from '../support/described.ts'
import { PYTHON, rdflib } from '../support/programs.ts'
import { startSparql, type SparqlOnly } from '../support/sparql-service.ts'

const PUBLISHED = join(CORPUS, 'ontology/d3fend-0.17.0.ttl')
const QUERY = join(CORPUS, 'round-3/blank-join.rq')
const isPresent = [PUBLISHED, QUERY].every((path) => existsSync(path))
const GRAPH = 'http://parapet.example/releases/0.17.0'
const XSD = WELL_KNOWN_PREFIXES.xsd
const COUNT_BY_RDFLIB = `
import sys, rdflib
graph = rdflib.Graph().parse(sys.argv[1], format="turtle")
print(*[row[0] for row in graph.query(open(sys.argv[2]).read())])
`

/** The store keeps times and numbers by their value. */
function asStored(nTriples: string): string {
  return nTriples
    .replaceAll(/\+00:00(?="\^\^<[^>]*#dateTime>)/g, 'Z')
    .replaceAll(`${XSD}nonNegativeInteger>`, `${XSD}integer>`)
}

describe.skipIf(!isPresent)('The blank nodes of D3FEND 0.17.0', () => {
  let nTriples = ''
  let sparql: SparqlOnly

  beforeAll(async () => {
    const graph = new EmbeddedGraph()
    graph.loadAsWritten(readFileSync(PUBLISHED), 'text/turtle')
    nTriples = await canonicalNQuads(graph.dump())
    const source: PublicGraphs = {
      list: () => Promise.resolve([{ iri: GRAPH, key: '1', role: 'default', title: 'D3FEND' }]),
      read: () => Promise.resolve(Buffer.from(nTriples)),
    }
    sparql = await startSparql({ sources: [source], env: { SERVICE_SPARQL_SECONDS: '60' } })
  })

  afterAll(async () => {
    await sparql.close()
  })

  it.runIf(rdflib.isInstalled)('connect as many statements as rdflib counts', async () => {
    const byRdflib = execFileSync(PYTHON, ['-c', COUNT_BY_RDFLIB, PUBLISHED, QUERY])
    const answer = await fetch(sparql.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/sparql-query', Accept: 'text/csv' },
      body: readFileSync(QUERY),
    })
    expect(await answer.text()).toBe(`n\r\n${byRdflib.toString().trim()}\r\n`)
  })

  it('are described with every subject as the file has it', async () => {
    const graphs = new NamedGraphs()
    graphs.load(GRAPH, Buffer.from(nTriples))
    const file = new ReadFile(readFileSync(PUBLISHED, 'utf8'))
    const subjects = file.subjects()
    expect(subjects.length).toBeGreaterThan(4000)
    const how = { dataset: { defaults: [GRAPH], named: [] }, mediaType: 'application/n-triples', baseIri: GRAPH }
    for (const iri of subjects) {
      const described = graphs.answer(`DESCRIBE <${iri}>`, how)
      expect(await asRead(described)).toBe(await asRead(asStored(file.described(iri))))
    }
  })
})
