import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedGraph } from '../../../src/graph/store.ts'
import { canonicalNQuads } from '../../../src/ontology/ingest/canonical.ts'
import { parseDocument } from '../../../src/ontology/ingest/parse.ts'
import { W3C_SUITES } from '../../support/corpus.ts'

/** The repositories of suites, and the addresses that their files have for the tests. */
const REPOSITORIES: Readonly<Record<string, string>> = {
  'rdf-tests': 'https://w3c.github.io/rdf-tests/',
  'json-ld-api': 'https://w3c.github.io/json-ld-api/',
}

/** The address of a file of a suite. */
export function addressOf(repository: string, path: string): string {
  return `${REPOSITORIES[repository] ?? ''}${path}`
}

/** The bytes of the file that has an address. */
export function bytesAt(address: string): Buffer {
  const [name, start] = Object.entries(REPOSITORIES).find(([, begin]) => address.startsWith(begin)) ?? []
  if (name === undefined || start === undefined) throw new Error(`No suite has ${address}`)
  return readFileSync(join(W3C_SUITES, name, decodeURIComponent(address.slice(start.length))))
}

/** The ending of the name of a file, without the dot. */
export function endingOf(address: string): string {
  return address.slice(address.lastIndexOf('.') + 1)
}

interface Reading {
  readonly graph: EmbeddedGraph
  readonly prefixes: ReadonlyMap<string, string>
}

/** Reads a file as an ingest does. The format is the ending of its name, the base its address unless one is given. */
export function readFileAt(address: string, base = address): Reading {
  return readBytes(bytesAt(address), endingOf(address), base)
}

/** Reads a document as an ingest does. */
export function readBytes(content: Uint8Array, format: string, base: string): Reading {
  const graph = new EmbeddedGraph()
  const prefixes = parseDocument(graph, { name: base, content, sha256: '', bytes: content.length }, format)
  return { graph, prefixes }
}

/** Whether two graphs in N-Quads say the same, whatever the labels of their blank nodes. */
export async function saySame(a: string, b: string): Promise<boolean> {
  return (await canonicalNQuads(a)) === (await canonicalNQuads(b))
}
