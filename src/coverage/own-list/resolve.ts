import type { ListContent, ListCoverage } from '../../contracts/list-coverage.ts'
import type { AttackDomain, OntologyDocument } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'
import { replaceForbidden } from '../../platform/characters.ts'
import { Refusal } from '../../platform/errors.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import type { OntologyPaths } from '../ontology-paths.ts'
import { readBundle } from './bundle.ts'
import { readCsv } from './csv.ts'
import { readLayer } from './layer.ts'
import type { IsKnown, ListItem, ReadList } from './list-item.ts'
import { readNames } from './names.ts'

/** More than all attacks and techniques of a release. */
const MAX_ITEMS = 10_000

/** Limit of the unknown entries in an answer. */
const MAX_UNKNOWN = 1000
/** Limit of the characters of an entry that an answer repeats. */
const MAX_REPEATED = 200

/** A record that a list names, with the places of the list where it does. */
export interface ListedRecord {
  readonly document: OntologyDocument
  readonly places: readonly string[]
}

/** The attacks and techniques of a list by IRI. */
export interface ResolvedList {
  readonly head: ListCoverage['list']
  readonly attacks: ReadonlyMap<string, ListedRecord>
  readonly techniques: ReadonlyMap<string, ListedRecord>
}

interface ResolveOptions {
  readonly paths: OntologyPaths
  /** Domains whose attacks count; none: all. */
  readonly domains: readonly AttackDomain[]
}

/** Reads a list and finds its entries in a release. Refuses a list without known entries. */
export async function resolveList(list: ListContent, { paths, domains }: ResolveOptions): Promise<ResolvedList> {
  const names = namesOf(paths)
  const { items, leftOut } = await readList(list, (value) => names.has(keyOf(value)))
  const iris = new Map<OntologyDocument, string[]>()
  const unknown: ListCoverage['list']['unknown'] = []
  let unknownCount = 0
  for (const item of items) {
    const documents = names.get(keyOf(item.value)) ?? []
    const matches = documents.filter((document) => matchesItem(document, item) && isInDomains(document, domains))
    for (const document of matches) append(iris, document, item.place)
    if (matches.length > 0) continue
    unknownCount += 1
    if (unknown.length < MAX_UNKNOWN)
      unknown.push({ ...shortenItem(item), reason: reasonOf(item, documents, paths.release.version) })
  }
  if (iris.size === 0) throw refuseUnknown(list.place, unknown, unknownCount)
  const attacks = recordsInOrder(paths.attacks, iris)
  const techniques = recordsInOrder(paths.techniques, iris)
  const head = {
    form: list.form,
    items: items.length,
    left_out: leftOut,
    attacks: attacks.size,
    techniques: techniques.size,
    unknown,
    unknown_count: unknownCount,
  }
  return { head, attacks, techniques }
}

const namesByPaths = new WeakMap<OntologyPaths, ReadonlyMap<string, readonly OntologyDocument[]>>()

/** Attacks and techniques by id, prefixed name, name and IRI. An id may belong to several, in different domains. */
function namesOf(paths: OntologyPaths): ReadonlyMap<string, readonly OntologyDocument[]> {
  return getOrMake(namesByPaths, paths, () => {
    const names = new Map<string, OntologyDocument[]>()
    for (const document of [...paths.techniques.values(), ...paths.attacks.values()]) {
      const { id, name, iri } = document
      const ownNames = [id ?? name, name, name.replace(/^[^:]*:/, ''), iri].map(keyOf)
      for (const key of new Set(ownNames)) append(names, key, document)
    }
    return names
  })
}

function keyOf(value: string): string {
  return value.trim().toLowerCase()
}

function matchesItem({ kind, domain }: OntologyDocument, item: ListItem): boolean {
  if (item.kind !== null && (item.kind === 'attack') !== (kind === 'offensive-technique')) return false
  return item.domain === null || kind === 'technique' || domain === item.domain
}

function isInDomains({ kind, domain }: OntologyDocument, domains: readonly AttackDomain[]): boolean {
  return domains.length === 0 || kind === 'technique' || (domain !== null && domains.includes(domain))
}

function reasonOf(item: ListItem, documents: readonly OntologyDocument[], version: string): string {
  const [other] = documents
  if (other === undefined) return `Release ${version} of the ontology has no attack or technique of this name.`
  if (item.kind === 'attack' && other.kind === 'technique') return 'It is a technique. Name it among the techniques.'
  if (item.kind === 'technique' && other.kind !== 'technique') return 'It is an attack. Name it among the attacks.'
  const domains = [...new Set(documents.flatMap(({ domain }) => domain ?? []))].join(', ') || 'no domain'
  return item.domain === null || documents.some(({ domain }) => domain === item.domain)
    ? `It is an attack of ${domains}, which "domain" leaves out.`
    : `The list states ${item.domain}, but release ${version} has it in ${domains}.`
}

function shortenItem({ value, place }: ListItem): { value: string; place: string } {
  return { value: replaceForbidden(value).slice(0, MAX_REPEATED), place }
}

function refuseUnknown(place: string, unknown: ListCoverage['list']['unknown'], count: number): Error {
  const [first] = unknown
  const example = first === undefined ? '' : ` The first is "${first.value}" (${first.place}): ${first.reason}`
  return refuseList(place, `None of the ${count} entries can be used.${example}`)
}

/** In the order of the release. */
function recordsInOrder(
  documents: ReadonlyMap<string, OntologyDocument>,
  iris: ReadonlyMap<OntologyDocument, readonly string[]>,
): ReadonlyMap<string, ListedRecord> {
  return new Map(
    [...documents].flatMap(([iri, document]) => {
      const listPlaces = iris.get(document)
      return listPlaces === undefined ? [] : [[iri, { document, places: listPlaces }] as const]
    }),
  )
}

/** Reads the entries of a list in any form. Refuses content that is not of the form, with its place. */
async function readList({ form, content, place }: ListContent, isKnown: IsKnown): Promise<ReadList> {
  const list = await readForm({ form, content, place }, isKnown)
  if (list.items.length > MAX_ITEMS)
    throw refuseList(place, `${list.items.length} entries are too many. Send at most ${MAX_ITEMS}.`)
  if (list.items.length > 0) return list
  const why = list.leftOut > 0 ? `All ${list.leftOut} entries are disabled, scored 0 or revoked.` : 'It has no entries.'
  throw refuseList(place, `The list names no attack and no technique. ${why}`)
}

async function readForm({ form, content, place }: ListContent, isKnown: IsKnown): Promise<ReadList> {
  switch (form) {
    case 'csv':
      return readCsv(String(content), { place, isKnown, maxRows: MAX_ITEMS })
    case 'layer':
      return readLayer(content, place)
    case 'bundle':
      return readBundle(content, place)
    case 'list':
      return readNames(content, place)
  }
}

/** Refuses a list; the message names the list if there are two. */
function refuseList(place: string, detail: string): Refusal {
  const parameter = place === '' ? 'body' : place.replace(/\.$/, '')
  return new Refusal('parameter_invalid', place === '' ? detail : `${parameter}: ${detail}`, { parameter })
}
