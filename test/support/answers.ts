import { z } from 'zod'
import { D3F } from '../../src/graph/vocabulary.ts'

const term = z.strictObject({
  type: z.enum(['uri', 'literal', 'bnode']),
  value: z.string(),
  datatype: z.string().optional(),
  'xml:lang': z.string().optional(),
})
const sparqlResults = z.strictObject({
  head: z.strictObject({ vars: z.array(z.string()) }),
  results: z.strictObject({ bindings: z.array(z.record(z.string(), term)) }),
})
const node = z.record(z.string(), z.unknown())
const jsonLd = z.strictObject({ '@context': z.record(z.string(), z.string()), '@graph': z.array(node) })
type Node = z.infer<typeof node>

/** A member of an answer that is an object. */
export function sectionOf(answer: unknown, name: string): unknown {
  const members = node.parse(answer)
  if (!(name in members)) throw new Error(`The answer has no ${name}`)
  return members[name]
}

/** The columns in the head of SPARQL results. */
export function varsOf(results: unknown): readonly string[] {
  return sparqlResults.parse(results).head.vars
}

export function rowsOf(results: unknown): readonly Readonly<Record<string, z.infer<typeof term>>>[] {
  return sparqlResults.parse(results).results.bindings
}

/** Each row as the values of some columns, `d3f:` IRIs as local names, `-` for unbound; sorted. */
export function valuesOf(results: unknown, ...columns: readonly string[]): readonly string[] {
  return rowsOf(results)
    .map((row) => columns.map((column) => short(row[column]?.value ?? '-')).join(' '))
    .sort()
}

/** The nodes of a JSON-LD document, in its order. */
export function nodesOf(document: unknown): readonly Node[] {
  return jsonLd.parse(document)['@graph']
}

export function idsOf(document: unknown): readonly unknown[] {
  return nodesOf(document).map((member) => member['@id'])
}

export function nodeOf(document: unknown, id: string): Node {
  const described = nodesOf(document).find((member) => member['@id'] === id)
  if (described === undefined) throw new Error(`The document has no node ${id}`)
  return described
}

function short(value: string): string {
  return value.startsWith(D3F) ? value.slice(D3F.length) : value
}
