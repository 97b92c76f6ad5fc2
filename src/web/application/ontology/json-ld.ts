/** A node of the JSON-LD that the API answers: properties by prefixed name. */
export interface Node {
  readonly '@id': string
  readonly [property: string]: unknown
}

export interface JsonLd {
  readonly '@graph': readonly Node[]
}

/** A row of a table: a term for each column that it binds. */
export type Row = Readonly<Record<string, { readonly value: string }>>

/** Something of the ontology, and what it is called. */
export interface NamedRecord {
  readonly name: string
  readonly label: string
}

/** Literal values of a property, in the compact form of the API: a text, `{"@value": …}`, or a list of them. */
export function textsOf(node: Node | undefined, property: string): readonly string[] {
  return valuesOf(node, property).flatMap((value) => {
    if (typeof value === 'string') return [value]
    const literal = member(value, '@value')
    return typeof literal === 'string' ? [literal] : []
  })
}

export function textOf(node: Node | undefined, property: string): string | null {
  return textsOf(node, property)[0] ?? null
}

/** Prefixed names that a property leads to. */
export function linksOf(node: Node | undefined, property: string): readonly string[] {
  return valuesOf(node, property).flatMap((value) => {
    const id = member(value, '@id')
    return typeof id === 'string' ? [id] : []
  })
}

export function nodeOf({ '@graph': nodes }: JsonLd, id: string): Node | undefined {
  return nodes.find((node) => node['@id'] === id)
}

/** The node that has an identifier; its name need not be made of it. */
export function nodeWith(document: JsonLd, property: string, id: string): Node | undefined {
  return document['@graph'].find((node) => textsOf(node, property).includes(id))
}

export function labelOf(node: Node): string {
  return textOf(node, 'rdfs:label') ?? node['@id']
}

/** The value of a column; empty where the row does not bind it. */
export function cell(row: Row, column: string): string {
  return row[column]?.value ?? ''
}

/** `d3f:Harden` of the IRI in a column. */
export function nameOf(iri: string): string {
  return iri.replace(/^.*#/, 'd3f:')
}

function valuesOf(node: Node | undefined, property: string): readonly unknown[] {
  const value = node?.[property]
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
