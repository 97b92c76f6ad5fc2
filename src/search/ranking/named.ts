import type { ControlLink } from '../../contracts/sources.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { hitsOf } from '../index/hits.ts'
import { keyOf, recordOf } from '../index/keys.ts'
import type { Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { OntologyRecord } from '../knowledge/knowledge.ts'
import { strengthOf } from '../knowledge/links.ts'
import { isAttack, isThreatOrTechnique, tokensWithoutIntent } from '../question/about.ts'
import { possibleNames, type ParsedQuery, type PossibleName, type Token } from '../question/query.ts'
import { unseparatedNames } from '../question/unseparated.ts'
import { weighByLikeness } from './likeness.ts'
import { LinkedBuilder, type LinkedRecords } from './linked.ts'

/** Relation of a record to the records that a query names. */
export interface Relation {
  /** The share of the query that is its name, 0 to 1. */
  named: number
  /** Closeness to a named record: as its part, by citing it, by a link. */
  linked: number
  /** True if the query is its label or a synonym. */
  isCalled: boolean
  /** Links that lead from named controls to this technique. */
  readonly through: ControlLink[]
}

export type RelationsByKey = ReadonlyMap<number, Relation>

/** Records that a query names, and records related to them. */
export interface Relations {
  /** Records that it names or calls, and techniques that links lead to: few. */
  readonly known: RelationsByKey
  /** Closeness of all other records. */
  readonly linked: LinkedRecords
}

const CLOSENESS = {
  part: 0.8,
  naming: 4,
  countering: 2.5,
  citing: 0.6,
  linked: 2.5,
  above: 0.5,
  implementing: 0.5,
  called: 0.5,
  successor: 1,
}
/** CCIs of a named record whose rules are searched for. */
const MOST_CCIS = 40
/** Too many ids begin with fewer characters. */
const SHORTEST_BEGINNING = 6

/** Names in more of all records than this share, and than these few, are words of other subjects: `Server`, `Tool`. */
const TOO_COMMON = 0.02
const FEW = 20

/** By the IRI of an attack or weakness: the techniques (IRIs) that defend against it, with their strongest way, 0 to 1. */
export type CountermeasuresByAttack = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * The records that a query names, and those related to them. `isCountered`: it asks what counters the attacks and
 * weaknesses that it names.
 */
export function findNamed(
  query: ParsedQuery,
  library: Library,
  asked: { readonly defenses: CountermeasuresByAttack; readonly isCountered: boolean },
): Relations {
  const search = new NameSearch(library, asked)
  search.find(query)
  return { known: search.known, linked: search.linked.finish() }
}

/** Whether a query is the identifier, label or synonym of an attack or weakness, and not a common word. */
export function isThreat({ tokens }: ParsedQuery, library: Library): boolean {
  const words = tokens.flatMap((token) => token.words)
  if (library.count(...words) > Math.max(FEW, TOO_COMMON * library.size)) return false
  const { called, names, records } = library.knowledge
  const name = nameOf(tokens.map(({ text }) => text).join(' '))
  const named = [...(called.get(words.join(' ')) ?? []), ...(names.get(name) ?? [])]
  return named.some((record) => isAttack(records[record]?.kind))
}

class NameSearch {
  readonly known = new Map<number, Relation>()
  readonly linked = new LinkedBuilder()
  readonly #library: Library
  readonly #defenses: CountermeasuresByAttack
  readonly #isCountered: boolean

  constructor(
    library: Library,
    { defenses, isCountered }: { readonly defenses: CountermeasuresByAttack; readonly isCountered: boolean },
  ) {
    this.#library = library
    this.#defenses = defenses
    this.#isCountered = isCountered
  }

  find(query: ParsedQuery): void {
    const names = possibleNames(query)
    const called = this.#called(query)
    this.#noteCalled(called)
    const named = names.flatMap((name) => this.#nameInOntology(name))
    for (const name of names) this.#nameInGuidance(name)
    if (this.#isEmpty) for (const name of unseparatedNames(query, this.#library.guidance)) this.#nameInGuidance(name)
    if (this.#isEmpty) this.#byBeginning(names[0])
    if (!this.#isCountered) this.#noteParts(names, called)
    this.#noteLinks(new Set([...named, ...called]), query)
  }

  #noteCalled(records: readonly number[]): void {
    for (const record of records) {
      const relation = this.#of(record)
      relation.isCalled = true
      // So that what counters it is closer than what only has words of it.
      if (this.#isCountered) relation.named = 1
    }
  }

  #noteParts(names: readonly PossibleName[], called: readonly number[]): void {
    const { records } = this.#library.knowledge
    for (const { name, share } of names) this.#notePartsOf(name, share)
    for (const record of called) this.#notePartsOf(nameOf(records[record]?.id ?? ''), CLOSENESS.called)
  }

  get #isEmpty(): boolean {
    return this.known.size === 0 && this.linked.isEmpty
  }

  /** Records whose label or synonym it is; of attacks and what they have to do with, also beside words of what is to be done. */
  #called(query: ParsedQuery): readonly number[] {
    const whole = this.#calledBy(query.tokens)
    if (whole.length > 0) return whole
    const { records } = this.#library.knowledge
    return this.#calledBy(tokensWithoutIntent(query)).filter((record) => isThreatOrTechnique(records[record]?.kind))
  }

  #calledBy(tokens: readonly Token[]): readonly number[] {
    const { alternatives, called } = this.#library.knowledge
    const words = tokens.flatMap((token) => token.words).join(' ')
    const otherwise = alternatives.get(words) ?? []
    return [words, ...otherwise.map((other) => other.words.join(' '))].flatMap((name) => called.get(name) ?? [])
  }

  #of(record: number): Relation {
    const kind = this.#library.knowledge.records[record]?.kind
    if (kind === undefined) throw new Error(`The ontology has no record ${record}`)
    return this.#ofKey(keyOf(kind, record))
  }

  #ofKey(key: number): Relation {
    const known = this.known.get(key)
    if (known !== undefined) return known
    const relation = { named: 0, linked: 0, isCalled: false, through: [] }
    this.known.set(key, relation)
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
    for (const { part, records } of recordsWith(this.#library.guidance, name, { field: 'names' }))
      for (const record of records) {
        if (part.gone[record] !== 0) continue
        const relation = this.#ofKey(part.segment.keys[record] ?? 0)
        relation.named = Math.max(relation.named, share)
      }
    this.#noteCiting(name, CLOSENESS.citing * share, this.linked)
  }

  /** Records whose id begins with the whole query. */
  #byBeginning(whole: PossibleName | undefined): void {
    if (whole === undefined || whole.share < 1) return
    const { name } = whole
    if (name.length < SHORTEST_BEGINNING || !/-\d/.test(name)) return
    this.#noteBeginning(name, this.#library.all, CLOSENESS.part)
  }

  /** `AC-2(1)` of `AC-2`, `T1110.001` of `T1110`. */
  #notePartsOf(name: string, share: number): void {
    const { knowledge, ontology } = this.#library
    if (knowledge.names.has(name)) this.#noteBeginning(`${name}-`, ontology.parts, CLOSENESS.part * share)
  }

  #noteBeginning(beginning: string, parts: readonly IndexPart[], close: number): void {
    for (const { part, records } of recordsWith(parts, beginning, { field: 'names', prefix: true }))
      this.linked.raiseAll(part, records, close)
  }

  /**
   * The techniques and rules of named CCIs and controls, the rules of named techniques, and what defends against named
   * attacks and weaknesses: the stronger the relation and the more alike the texts, the closer.
   */
  #noteLinks(records: ReadonlySet<number>, query: ParsedQuery): void {
    const { knowledge } = this.#library
    for (const number of records) {
      const record = knowledge.records[number]
      if (record === undefined) continue
      const { named, isCalled } = this.#of(number)
      const close = Math.max(named, isCalled ? CLOSENESS.called : 0)
      const builder = new LinkedBuilder()
      this.#noteTechniques(record, builder)
      if (this.#isCountered && isAttack(record.kind)) this.#noteNaming(record, query, builder)
      for (const cci of this.#ccisOf(record).slice(0, MOST_CCIS))
        this.#noteCiting(nameOf(cci), CLOSENESS.implementing, builder)
      this.#noteControls(record, close)
      for (const { iri } of record.successors) {
        const successor = knowledge.byIri.get(iri)
        if (successor !== undefined) this.#raiseOf(successor, CLOSENESS.successor * close)
      }
      if (builder.isEmpty) continue
      const linked = builder.finish()
      weighByLikeness(linked, `${record.label} ${record.text}`, this.#library)
      this.linked.take(linked, close)
    }
  }

  #noteTechniques({ id, iri }: OntologyRecord, linked: LinkedBuilder): void {
    for (const link of this.#library.knowledge.links.get(id ?? '') ?? []) {
      const key = this.#techniqueKey(link.technique)
      if (key === null) continue
      this.#ofKey(key).through.push(link)
      this.#raise(linked, key, CLOSENESS.linked * strengthOf(link.relation))
    }
    for (const [technique, strength] of this.#defenses.get(iri ?? '') ?? [])
      this.#noteDefense(technique, strength, linked)
  }

  #noteDefense(technique: string, strength: number, linked: LinkedBuilder): void {
    const key = this.#techniqueKey(technique)
    if (key !== null) this.#raise(linked, key, CLOSENESS.countering * strength)
    for (const cci of this.#library.knowledge.ccisOfTechniques.get(technique) ?? [])
      this.#noteCiting(nameOf(cci), CLOSENESS.implementing * strength, linked)
  }

  /** Rules and requirements whose texts name an attack or weakness, as the query or the ontology does. */
  #noteNaming({ label, synonyms }: OntologyRecord, { tokens }: ParsedQuery, linked: LinkedBuilder): void {
    const names = [tokens.flatMap((token) => token.words), ...[label, ...synonyms].map(wordsOf)]
    for (const words of names)
      for (const part of this.#library.guidance)
        linked.raiseAll(part, hitsOf(part.segment, { words, prefix: false }).records, CLOSENESS.naming)
  }

  #raise(linked: LinkedBuilder, key: number, close: number): void {
    const place = this.#library.placeOf(key)
    if (place !== null) linked.raise(place, close)
  }

  #techniqueKey(iri: string): number | null {
    const { byIri } = this.#library.knowledge
    const number = byIri.get(iri)
    return number === undefined ? null : keyOf('technique', number)
  }

  #noteCiting(name: string, close: number, linked: LinkedBuilder): void {
    for (const { part, records } of recordsWith(this.#library.guidance, name, { field: 'cited' }))
      linked.raiseAll(part, records, close)
  }

  /** The controls that a CCI belongs to. */
  #noteControls({ kind, id }: OntologyRecord, close: number): void {
    const { controls, names } = this.#library.knowledge
    if (kind !== 'cci') return
    for (const control of controls.get(id ?? '') ?? [])
      for (const number of names.get(nameOf(control)) ?? []) this.#raiseOf(number, CLOSENESS.above * close)
  }

  #raiseOf(record: number, close: number): void {
    const kind = this.#library.knowledge.records[record]?.kind
    if (kind !== undefined) this.#raise(this.linked, keyOf(kind, record), close)
  }

  /** CCIs whose rules are related to a record: those of a control, or those linked to a technique. */
  #ccisOf({ kind, id, iri }: OntologyRecord): readonly string[] {
    const { ccis, ccisOfTechniques } = this.#library.knowledge
    return (kind === 'control' ? ccis.get(id ?? '') : ccisOfTechniques.get(iri ?? '')) ?? []
  }
}

/** Records that have a name, or one that begins so; some of them may be gone. */
function recordsWith(
  parts: readonly IndexPart[],
  name: string,
  { field, prefix = false }: { readonly field: 'names' | 'cited'; readonly prefix?: boolean },
): readonly { readonly part: IndexPart; readonly records: Uint32Array }[] {
  return parts.map((part) => {
    const { records } = hitsOf(part.segment, { words: [name], prefix }, FIELD_BITS[field])
    return { part, records }
  })
}

/** IRIs of the attacks and weaknesses that a query names or calls by their label. */
export function attacksIn({ known }: Relations, { knowledge }: Library): readonly string[] {
  return [...known].flatMap(([key, { named, isCalled }]) => {
    const { kind, id } = recordOf(key)
    const iri = knowledge.records[id]?.iri ?? null
    return isAttack(kind) && (named > 0 || isCalled) && iri !== null ? [iri] : []
  })
}
