import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jsonld from 'jsonld'
import { z } from 'zod'
import { EmbeddedGraph } from '../../src/graph/store.ts'
import { SYNTAXES, type SyntaxName } from '../../src/graph/syntax/syntaxes.ts'
import { canonicalNQuads } from '../../src/ontology/ingest/canonical.ts'
import { PYTHON, rapper, rdflib } from './programs.ts'

const RAPPER: Partial<Record<SyntaxName, string>> = {
  turtle: 'turtle',
  nTriples: 'ntriples',
  nQuads: 'nquads',
  rdfXml: 'rdfxml',
}

const RDFLIB: Record<SyntaxName, string> = {
  turtle: 'turtle',
  nTriples: 'nt',
  nQuads: 'nquads',
  rdfXml: 'xml',
  jsonLd: 'json-ld',
}

const READ_AND_WRITE = `
import sys, rdflib
rdflib.NORMALIZE_LITERALS = False
for name, syntax, out in zip(*[iter(sys.argv[1:])] * 3):
    dataset = rdflib.Dataset(default_union=True) if syntax == "nquads" else rdflib.Graph()
    dataset.parse(name, format=syntax)
    whole = rdflib.Graph()
    for triple in dataset.triples((None, None, None)): whole.add(triple)
    whole.serialize(out, format="nt", encoding="utf-8")
`

/** A document and its syntax. */
export interface Written {
  readonly syntax: SyntaxName
  readonly text: string
}

interface Named extends Written {
  readonly file: string
}

/** A document as one tool parsed it, in canonical N-Quads (RDFC-1.0). */
export interface Reading {
  readonly document: Written
  readonly tool: string
  readonly graph: string
}

/** Parses each document with each installed tool. */
export async function readByAll(documents: readonly Written[]): Promise<readonly Reading[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parapet-rdf-'))
  try {
    const named = documents.map((document, index) => {
      const file = join(folder, String(index))
      writeFileSync(file, document.text)
      return { ...document, file }
    })
    readByRdflib(named)
    return (await Promise.all(named.map(readingsOf))).flat()
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function readingsOf(named: Named): Promise<readonly Reading[]> {
  const { syntax, text, file } = named
  const byRapper = readByRapper(named)
  const results: readonly (readonly [string, string | null])[] = [
    ['oxigraph', readByOxigraph(named)],
    ['rapper', byRapper],
    ['rdflib', rdflib.isInstalled ? readFileSync(`${file}.out`, 'utf8') : null],
    ['jsonld', syntax === 'jsonLd' ? await readByJsonLd(text) : null],
  ]
  const readings = results.flatMap(([tool, read]) => (read === null ? [] : [{ tool, read }]))
  return Promise.all(
    readings.map(async ({ tool, read }) => ({ document: { syntax, text }, tool, graph: await canonicalOf(read) })),
  )
}

/** The canonical form of N-Triples. */
export function canonicalOf(nTriples: string): Promise<string> {
  return canonicalNQuads(escaped(nTriples))
}

/** Converts escapes to those of canonical N-Quads, because tools escape more or fewer characters. */
function escaped(nquads: string): string {
  const graph = new EmbeddedGraph()
  graph.loadAsWritten(new TextEncoder().encode(nquads), 'application/n-quads')
  return graph.dump()
}

export function readByOxigraph({ syntax, text }: Written): string {
  const graph = new EmbeddedGraph()
  graph.loadAsWritten(new TextEncoder().encode(text), SYNTAXES[syntax].mediaType)
  return graph.dump()
}

function readByRapper({ syntax, file }: Named): string | null {
  const name = RAPPER[syntax]
  if (!rapper.isInstalled || name === undefined) return null
  const args = ['-q', '-i', name, '-o', 'ntriples', file, 'http://base.invalid/']
  return execFileSync('rapper', args, { encoding: 'utf8', maxBuffer: 1e9 })
}

/** Parses all documents in one process, because it takes a second to start. */
function readByRdflib(documents: readonly Named[]): void {
  if (!rdflib.isInstalled) return
  const each = documents.flatMap(({ syntax, file }) => [file, RDFLIB[syntax], `${file}.out`])
  execFileSync(PYTHON, ['-c', READ_AND_WRITE, ...each])
}

async function readByJsonLd(text: string): Promise<string> {
  const document = z.custom<jsonld.JsonLdDocument>().parse(JSON.parse(text))
  const nquads: unknown = await jsonld.toRDF(document, { format: 'application/n-quads' })
  return String(nquads)
}
