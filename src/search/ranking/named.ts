import type { ControlLink } from '../../contracts/sources.ts'
import { nameOf } from '../../platform/words.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { hitsOf } from '../index/hits.ts'
import { keyOf, recordOf } from '../index/keys.ts'
import type { Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { StringList } from '../index/string-list.ts'
import type { OntologyRecord } from '../knowledge/knowledge.ts'
import { possibleNames, type ParsedQuery, type PossibleName } from '../question/query.ts'
import { likenessTo } from './likeness.ts'

/** What makes a record belong to what a query names. */
export interface Relation {
  /** The share of the query that is its name, 0 to 1. */
  named: number
  /** How closely it is related to a named record: as its part, by citing it, by a link. */
  linked: number
  /** Whether the query is its label or a synonym. */
  isCalled: boolean
  /** Links that lead from named controls to this technique. */
  readonly through: ControlLink[]
}

export type RelationsByKey = ReadonlyMap<number, Relation>

const CLOSE = { part: 0.8, citing: 0.6, linked: 2.5, above: 0.5, implementing: 0.5, called: 0.5 }
/** How closely a link relates a control to a technique, by its relation; of others, the least. */
const STRENGTH: Readonly<Record<string, number>> = { exactly: 1, narrower: 0.9, broader: 0.75 }
const WEAKEST = 0.6
/** That of what defends against an attack, through an artifact that both touch. */
const DEFENDING = 0.6
/** CCIs of a named record whose rules are searched for. */
const MOST_CCIS = 40
/** Too many ids begin with fewer characters. */
const SHORTEST_BEGINNING = 6

/** Techniques (IRIs) that defend against attacks and weaknesses, by the IRI of these. */
export type Defenses = ReadonlyMap<string, readonly string[]>

/** The records that a query names, and those related to them. */
export function findNamed(
  query: ParsedQuery,
  library: Library,
  defenses: Defenses,
): RelationsByKey {
  const search = new NameSearch(library, defenses)
  search.find(query)
  return search.relations
}

class NameSearch {
  readonly relations = new Map<number, Relation>()
  readonly #library: Library
  readonly #defenses: Defenses

  constructor(library: Library, defenses: Defenses) {
    this.#library = library
    this.#defenses = defenses
  }

  find(query: ParsedQuery): void {
    const { knowledge } = this.#library
    const names = possibleNames(query)
    const words = query.tokens.flatMap((token) => token.words).join(' ')
    const otherwise = knowledge.alternatives.get(words) ?? []
    const called = [words, ...otherwise.map((other) => other.words.join(' '))].flatMap(
      (name) => knowledge.called.get(name) ?? [],
    )
    for (const record of called) this.#of(record).isCalled = true
    const named = names.flatMap((name) => this.#nameInOntology(name))
    for (const name of names) this.#nameInGuidance(name)
    if (this.relations.size === 0) this.#byBeginning(names[0])
    for (const { name, share } of names) this.#notePartsOf(name, share)
    for (const record of called) this.#notePartsOf(nameOf(knowledge.records[record]?.id ?? ''), 1)
    this.#noteLinks(new Set([...named, ...called]))
  }

  #of(record: number): Relation {
    const kind = this.#library.knowledge.records[record]?.kind
    if (kind === undefined) throw new Error(`The ontology has no record ${record}`)
    return this.#ofKey(keyOf(kind, record))
  }

  #ofKey(key: number): Relation {
    const known = this.relations.get(key)
    if (known !== undefined) return known
    const relation = { named: 0, linked: 0, isCalled: false, through: [] }
    this.relations.set(key, relation)
    return relation
  }

  #nameInOntology({ name, share }: PossibleName): readonly number[] {
    const found = this.#library.knowledge.names.get(name) ?? []
    for (const record of found) {
      const relation = this.#of(record)
      relation.named = Math.max(relation.named, share)
    }
    return found
  }

  /** Only its own ids name a rule; the others name records that it cites. */
  #nameInGuidance({ name, share }: PossibleName): void {
    this.#each(name, 'names', (relation) => {
      relation.named = Math.max(relation.named, share)
    })
    this.#each(name, 'cited', (relation) => {
      relation.linked = Math.max(relation.linked, CLOSE.citing * share)
    })
  }

  #each(name: string, field: 'names' | 'cited', note: (relation: Relation) => void): void {
    for (const key of keysWith(this.#library.guidance, name, { field })) note(this.#ofKey(key))
  }

  /** Records whose id begins with the whole query. */
  #byBeginning(whole: PossibleName | undefined): void {
    if (whole === undefined || whole.share < 1) return
    const { name } = whole
    if (name.length < SHORTEST_BEGINNING || !/-\d/.test(name)) return
    this.#noteBeginning(name, CLOSE.part)
    for (const key of keysWith(this.#library.guidance, name, { field: 'names', prefix: true }))
      this.#close(this.#ofKey(key), CLOSE.part)
  }

  /** `AC-2(1)` of `AC-2`, `T1110.001` of `T1110`. */
  #notePartsOf(name: string, share: number): void {
    if (this.#library.knowledge.names.has(name)) this.#noteBeginning(`${name}-`, CLOSE.part * share)
  }

  #noteBeginning(beginning: string, close: number): void {
    const where = { field: 'names', prefix: true } as const
    for (const key of keysWith(this.#library.ontology.parts, beginning, where))
      this.#close(this.#ofKey(key), close)
  }

  #close(relation: Relation, close: number): void {
    relation.linked = Math.max(relation.linked, close)
  }

  /**
   * The techniques and rules of named CCIs and controls, the rules of named techniques, and what defends against named
   * attacks and weaknesses: the stronger the relation and the more alike the texts, the closer.
   */
  #noteLinks(records: ReadonlySet<number>): void {
    const { knowledge } = this.#library
    for (const number of records) {
      const record = knowledge.records[number]
      if (record === undefined) continue
      const { named, isCalled } = this.#of(number)
      const close = Math.max(named, isCalled ? CLOSE.called : 0)
      const linked = new Map<number, number>()
      const note = (key: number, worth: number): void => {
        linked.set(key, Math.max(linked.get(key) ?? 0, worth))
      }
      this.#noteTechniques(record, note)
      for (const cci of this.#ccisOf(record).slice(0, MOST_CCIS))
        this.#noteCiting(cci, CLOSE.implementing, note)
      this.#noteControls(record, close)
      const likeness = likenessTo(
        `${record.label} ${record.text}`,
        new Set(linked.keys()),
        this.#library,
      )
      for (const [key, worth] of linked)
        this.#close(this.#ofKey(key), close * worth * (likeness.get(key) ?? 1))
    }
  }

  #noteTechniques({ id, iri }: OntologyRecord, note: (key: number, worth: number) => void): void {
    for (const link of this.#library.knowledge.links.get(id ?? '') ?? []) {
      const key = this.#techniqueKey(link.technique)
      if (key === null) continue
      this.#ofKey(key).through.push(link)
      note(key, CLOSE.linked * (STRENGTH[link.relation] ?? WEAKEST))
    }
    for (const technique of this.#defenses.get(iri ?? '') ?? []) this.#noteDefense(technique, note)
  }

  #noteDefense(technique: string, note: (key: number, worth: number) => void): void {
    const key = this.#techniqueKey(technique)
    if (key !== null) note(key, CLOSE.linked * DEFENDING)
    for (const cci of this.#library.knowledge.ccisOfTechniques.get(technique) ?? [])
      this.#noteCiting(cci, CLOSE.implementing * DEFENDING, note)
  }

  #techniqueKey(iri: string): number | null {
    const { byIri } = this.#library.knowledge
    const number = byIri.get(iri)
    return number === undefined ? null : keyOf('technique', number)
  }

  #noteCiting(cci: string, worth: number, note: (key: number, worth: number) => void): void {
    for (const key of keysWith(this.#library.guidance, nameOf(cci), { field: 'cited' }))
      note(key, worth)
  }

  /** The controls that a CCI belongs to. */
  #noteControls({ kind, id }: OntologyRecord, close: number): void {
    const { controls, names } = this.#library.knowledge
    if (kind !== 'cci') return
    for (const control of controls.get(id ?? '') ?? [])
      for (const number of names.get(nameOf(control)) ?? [])
        this.#close(this.#of(number), CLOSE.above * close)
  }

  /** CCIs whose rules are related to a record: those of a control, or those linked to a technique. */
  #ccisOf({ kind, id, iri }: OntologyRecord): readonly string[] {
    const { ccis, ccisOfTechniques } = this.#library.knowledge
    return (kind === 'control' ? ccis.get(id ?? '') : ccisOfTechniques.get(iri ?? '')) ?? []
  }
}

/** Keys of the records that have a name, or one that begins so. */
function* keysWith(
  parts: readonly IndexPart[],
  name: string,
  { field, prefix = false }: { readonly field: 'names' | 'cited'; readonly prefix?: boolean },
): Generator<number> {
  for (const { segment, gone } of parts)
    for (const record of hitsOf(segment, { words: [name], prefix }, FIELD_BITS[field]).records)
      if (gone[record] === 0) yield segment.keys[record] ?? 0
}

/** IRIs of the attacks and weaknesses that a query names or calls by their label. */
export function attacksIn(relations: RelationsByKey, { knowledge }: Library): readonly string[] {
  return [...relations].flatMap(([key, { named, isCalled }]) => {
    const { kind, id } = recordOf(key)
    const iri = knowledge.records[id]?.iri ?? null
    const isAttack = kind === 'offensive-technique' || kind === 'weakness'
    return isAttack && (named > 0 || isCalled) && iri !== null ? [iri] : []
  })
}

const MOST_NEIGHBOURS = 10

/** Records whose identifiers begin like one that does not exist and come next to it in order. */
export function neighboursOf(name: string, library: Library): RelationsByKey {
  const letters = /^[\p{L}-]+/u.exec(name)?.[0] ?? ''
  const near: { readonly name: string; readonly key: number }[] = []
  for (const { segment, gone } of [...library.guidance, ...library.ontology.parts])
    for (const word of wordsAround(segment.words, name, letters)) {
      const { records } = hitsOf(segment, { words: [word], prefix: false }, FIELD_BITS.names)
      const record = records.find((one) => gone[one] === 0)
      if (record !== undefined) near.push({ name: word, key: segment.keys[record] ?? 0 })
    }
  near.sort((a, b) => sharedLength(b.name, name) - sharedLength(a.name, name) || a.key - b.key)
  const relations = new Map<number, Relation>()
  for (const [place, { key }] of near.entries())
    if (relations.size < MOST_NEIGHBOURS && !relations.has(key))
      relations.set(key, { named: 0, linked: 1 - place / 1000, isCalled: false, through: [] })
  return relations
}

function wordsAround(words: StringList, name: string, letters: string): readonly string[] {
  const place = words.firstNotBelow(name)
  const around: string[] = []
  for (let at = Math.max(0, place - MOST_NEIGHBOURS); at < place + MOST_NEIGHBOURS; at += 1) {
    const word = at < words.length ? words.at(at) : ''
    if (letters !== '' && word.startsWith(letters)) around.push(word)
  }
  return around
}

/** How many characters two names begin with alike. */
function sharedLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
