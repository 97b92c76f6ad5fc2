import { compact, D3F, expand, RDF, RDFS, XSD } from '../../parts/words/iris.ts'
import { groupBy } from '../distinct.ts'

/** A node of expanded JSON-LD: full IRIs, values always in lists. */
export type ExpandedNode = Readonly<Record<string, unknown>>

export interface Resource {
  readonly kind: 'resource'
  readonly iri: string
  /** `d3f:UserAccount`, or the IRI where no prefix is known. */
  readonly name: string
}

export interface Text {
  readonly kind: 'text'
  readonly text: string
  /** A language or a type, where it is more than text. */
  readonly note: string | null
}

/** A blank node, described by its statements. */
export interface BlankNode {
  readonly kind: 'blank node'
  readonly properties: readonly PropertyValues[]
}

export type Value = Resource | Text | BlankNode

export interface PropertyValues {
  readonly property: Resource
  readonly values: readonly Value[]
}

export interface Subject {
  readonly name: string
  readonly label: string | null
  readonly definition: string | null
  /** Its identifier, where a page of its own shows it. */
  readonly record: RecordPage
  readonly properties: readonly PropertyValues[]
  /** Statements of other subjects about this one: by property, the subjects. */
  readonly about: readonly PropertyValues[]
}

interface RecordPage {
  readonly kind: 'technique' | 'attack' | 'weakness' | 'tactic' | null
  readonly id: string
}

/** Blank nodes in blank nodes are shown to this depth, because a graph may have cycles. */
const MAX_DEPTH = 4

/** Shapes the statements of a subject and about it, by its prefixed name or its IRI. */
export function shapeSubject(name: string, nodes: readonly ExpandedNode[]): Subject {
  const byId = new Map(nodes.map((node) => [idOf(node), node]))
  const iri = expand(name)
  const node = byId.get(iri) ?? { '@id': iri }
  const texts = (property: string): readonly string[] => membersOf(node, property).flatMap((value) => textIn(value))
  const record = recordOf(iri, { texts, types: membersOf(node, '@type').map(String) })
  return {
    name: compact(iri),
    label: texts(`${RDFS}label`)[0] ?? null,
    definition: texts(`${D3F}definition`)[0] ?? null,
    record,
    properties: propertiesOf(node, { byId, depth: 0 }),
    about: shapeAbout(iri, nodes, byId),
  }
}

interface ExpansionContext {
  readonly byId: ReadonlyMap<string, ExpandedNode>
  readonly depth: number
}

function propertiesOf(node: ExpandedNode, walk: ExpansionContext): readonly PropertyValues[] {
  return Object.keys(node)
    .filter((property) => property !== '@id')
    .map((property) => ({
      property: resourceOf(property === '@type' ? `${RDF}type` : property),
      values: membersOf(node, property).map((value) => shapeValue(value, walk)),
    }))
    .sort((a, b) => (a.property.name < b.property.name ? -1 : 1))
}

function shapeValue(value: unknown, { byId, depth }: ExpansionContext): Value {
  if (typeof value === 'string') return resourceOf(value)
  const id = idOf(value)
  if (id === '') return shapeText(value)
  const node = byId.get(id)
  if (!id.startsWith('_:')) return resourceOf(id)
  if (node === undefined || depth >= MAX_DEPTH) return { kind: 'text', text: '…', note: null }
  return { kind: 'blank node', properties: propertiesOf(node, { byId, depth: depth + 1 }) }
}

function shapeText(value: unknown): Text {
  const language = memberOf(value, '@language')
  const type = memberOf(value, '@type')
  const note = typeof language === 'string' ? language : typeof type === 'string' ? type : null
  return {
    kind: 'text',
    text: textIn(value).join(''),
    note: note === null || note === `${XSD}string` ? null : compact(note),
  }
}

/** Statements inside a blank node are shown at the subject that owns the blank node. */
function shapeAbout(
  iri: string,
  nodes: readonly ExpandedNode[],
  byId: ExpansionContext['byId'],
): readonly PropertyValues[] {
  const owners = ownersOf(nodes)
  const pointing = nodes
    .filter((node) => idOf(node) !== iri)
    .flatMap((node) =>
      Object.keys(node)
        .filter((property) => membersOf(node, property).some((value) => idOf(value) === iri))
        .map((property) => ({ property, subject: namedOwner(idOf(node), owners) })),
    )
    .filter(({ subject }) => subject !== iri)
  const groups = groupBy(pointing, ({ property }) => property)
  return Array.from(groups, ([property, statements]) => ({
    property: resourceOf(property),
    values: [...new Set(statements.map(({ subject }) => subject))]
      .sort()
      .map((subject) => shapeValue({ '@id': subject }, { byId, depth: 0 })),
  })).sort((a, b) => (a.property.name < b.property.name ? -1 : 1))
}

/** Maps each blank node to the subject that points to it. */
function ownersOf(nodes: readonly ExpandedNode[]): ReadonlyMap<string, string> {
  const owners = new Map<string, string>()
  for (const node of nodes) {
    const values = Object.keys(node).flatMap((property) => membersOf(node, property))
    for (const id of values.map(idOf)) if (id.startsWith('_:')) owners.set(id, idOf(node))
  }
  return owners
}

function namedOwner(id: string, owners: ReadonlyMap<string, string>): string {
  const seen = new Set<string>()
  let owner = id
  while (owner.startsWith('_:') && !seen.has(owner)) {
    seen.add(owner)
    owner = owners.get(owner) ?? owner
  }
  return owner
}

interface RecordFacts {
  readonly texts: (property: string) => readonly string[]
  readonly types: readonly string[]
}

function recordOf(iri: string, { texts, types }: RecordFacts): RecordPage {
  const [attack] = texts(`${D3F}attack-id`)
  if (attack !== undefined) return { kind: 'attack', id: attack }
  const [weakness] = texts(`${D3F}cwe-id`)
  if (weakness !== undefined) return { kind: 'weakness', id: weakness }
  const name = compact(iri)
  if (types.includes(`${D3F}DefensiveTactic`)) return { kind: 'tactic', id: name }
  const isTechnique = texts(`${D3F}d3fend-id`).some((id) => id.startsWith('D3-'))
  return { kind: isTechnique ? 'technique' : null, id: name }
}

function resourceOf(iri: string): Resource {
  return { kind: 'resource', iri, name: compact(iri) }
}

function membersOf(node: ExpandedNode, property: string): readonly unknown[] {
  const value = node[property]
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function idOf(node: unknown): string {
  const id = memberOf(node, '@id')
  return typeof id === 'string' ? id : ''
}

function textIn(value: unknown): readonly string[] {
  const text = memberOf(value, '@value')
  if (typeof text === 'number' || typeof text === 'boolean') return [String(text)]
  return typeof text === 'string' ? [text] : []
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}
