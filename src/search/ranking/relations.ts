import type { ControlLink } from '../../contracts/sources.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { hitsOf } from '../index/hits.ts'
import { keyOf, recordOf } from '../index/keys.ts'
import type { Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import { strengthOf } from '../knowledge/links.ts'
import type { OntologyRecord } from '../knowledge/ontology-records.ts'
import { isAttack } from '../query/intent.ts'
import { possibleNames, type ParsedQuery, type PossibleName } from '../query/parse-query.ts'
import { isCommon, recordsCalled, recordsWithLabel } from '../query/records-by-label.ts'
import { runsOf } from '../query/runs.ts'
import { unseparatedNames } from '../query/unseparated-names.ts'
import { LinkedBuilder, type LinkedRecords } from './linked-records.ts'
import { weighBySimilarity } from './similarity.ts'

/** Relation of a record to the records that a query names. */
export interface Relation {
  /** The share of the query that is its name, 0 to 1. */
  named: number
  /** Closeness to a named record: as its part, by citing it, by a link. */
  linked: number
  /** True if the query is its label or a synonym. */
  isLabelMatch: boolean
  /** Links that lead from named controls to this technique. */
  readonly through: ControlLink[]
}

/** Records that a query names, and records related to them. */
export interface Relations {
  /** Records that it names by id or label, and techniques linked to them. */
  readonly known: ReadonlyMap<number, Relation>
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
  byLabel: 0.5,
  successor: 1,
  partOfQuery: 2,
}
/** CCIs of a named record whose rules are searched for. */
const MAX_CCIS = 40
/** Too many ids begin with fewer characters. */
const MIN_BEGINNING_LENGTH = 6

/**
 * By the IRI of an attack or weakness: the IRIs of techniques that defend against it, each with its strength, 0 to 1.
 */
export type CountermeasuresByAttack = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * The records that a query names, and those related to them. `isCountered`: it asks what counters the attacks and
 * weaknesses that it names.
 */
export function findRelations(
  query: ParsedQuery,
  library: Library,
  options: { readonly defenses: CountermeasuresByAttack; readonly isCountered: boolean },
): Relations {
  const search = new RelationFinder(library, options)
  search.find(query)
  return { known: search.known, linked: search.linked.finish() }
}

class RelationFinder {
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
    const byLabel = recordsCalled(query, this.#library.knowledge)
    this.#addLabelMatches(byLabel)
    const namedKeys = names.flatMap((name) => this.#findNameInOntology(name))
    for (const name of names) this.#findNameInGuidance(name)
    if (this.#isEmpty)
      for (const name of unseparatedNames(query, this.#library.guidance)) this.#findNameInGuidance(name)
    if (this.#isEmpty) this.#findByBeginning(names[0])
    if (!this.#isCountered) this.#addParts(names, byLabel)
    if (byLabel.length === 0) this.#addWeaknessesIn(query)
    this.#addLinks(new Set([...namedKeys, ...byLabel]), query)
  }

  #addLabelMatches(records: readonly number[]): void {
    for (const record of records) {
      const relation = this.#relationOf(record)
      relation.isLabelMatch = true
      // Ranks countermeasures above records that only share words with it.
      if (this.#isCountered) relation.named = 1
    }
  }

  #addParts(names: readonly PossibleName[], byLabel: readonly number[]): void {
    const { records } = this.#library.knowledge
    for (const { name, share } of names) this.#addPartsOf(name, share)
    for (const record of byLabel) this.#addPartsOf(nameOf(records[record]?.id ?? ''), CLOSENESS.byLabel)
  }

  get #isEmpty(): boolean {
    return this.known.size === 0 && this.linked.isEmpty
  }

  /** Weaknesses with a label or synonym that is a part of the query: `Potential XSS in templates`. */
  #addWeaknessesIn({ tokens }: ParsedQuery): void {
    const { knowledge } = this.#library
    const { records } = knowledge
    const content = tokens.filter(({ isStop }) => !isStop)
    const count = content.flatMap(({ words }) => words).length
    for (const run of runsOf(content)) {
      const weaknesses = recordsWithLabel(run, knowledge).filter((record) => records[record]?.kind === 'weakness')
      const words = run.flatMap((token) => token.words)
      if (weaknesses.length === 0 || isCommon(words, this.#library)) continue
      for (const weakness of weaknesses) this.#raiseOf(weakness, (CLOSENESS.partOfQuery * words.length) / count)
    }
  }

  #relationOf(record: number): Relation {
    const kind = this.#library.knowledge.records[record]?.kind
    if (kind === undefined) throw new Error(`The ontology has no record ${record}`)
    return this.#relationOfKey(keyOf(kind, record))
  }

  #relationOfKey(key: number): Relation {
    return getOrMake(this.known, key, () => ({ named: 0, linked: 0, isLabelMatch: false, through: [] }))
  }

  #findNameInOntology({ name, share }: PossibleName): readonly number[] {
    const records = this.#library.knowledge.names.get(name) ?? []
    for (const record of records) {
      const relation = this.#relationOf(record)
      relation.named = Math.max(relation.named, share)
    }
    return records
  }

  /** Only its own ids name a rule; the others name records that it cites. */
  #findNameInGuidance({ name, share }: PossibleName): void {
    for (const { part, records } of recordsWith(this.#library.guidance, name, { field: 'names' }))
      for (const record of records) {
        if (part.deleted[record] !== 0) continue
        const relation = this.#relationOfKey(part.segment.keys[record] ?? 0)
        relation.named = Math.max(relation.named, share)
      }
    this.#addRecordsCiting(name, CLOSENESS.citing * share, this.linked)
  }

  /** Records whose id begins with the whole query. */
  #findByBeginning(whole: PossibleName | undefined): void {
    if (whole === undefined || whole.share < 1) return
    const { name } = whole
    if (name.length < MIN_BEGINNING_LENGTH || !/-\d/.test(name)) return
    this.#addBeginning(name, this.#library.all, CLOSENESS.part)
  }

  /** `AC-2(1)` of `AC-2`, `T1110.001` of `T1110`. */
  #addPartsOf(name: string, share: number): void {
    const { knowledge, ontology } = this.#library
    if (knowledge.names.has(name)) this.#addBeginning(`${name}-`, ontology.parts, CLOSENESS.part * share)
  }

  #addBeginning(beginning: string, parts: readonly IndexPart[], closeness: number): void {
    for (const { part, records } of recordsWith(parts, beginning, { field: 'names', prefix: true }))
      this.linked.raiseAll(part, records, closeness)
  }

  /**
   * Adds the techniques and rules of named CCIs and controls, the rules of named techniques, and countermeasures of
   * named attacks and weaknesses. Closeness grows with the strength of the link and the similarity of the texts.
   */
  #addLinks(records: ReadonlySet<number>, query: ParsedQuery): void {
    const { knowledge } = this.#library
    for (const number of records) {
      const record = knowledge.records[number]
      if (record === undefined) continue
      const { named, isLabelMatch } = this.#relationOf(number)
      const closeness = Math.max(named, isLabelMatch ? CLOSENESS.byLabel : 0)
      const builder = new LinkedBuilder()
      this.#addTechniques(record, builder)
      if (this.#isCountered && isAttack(record.kind)) this.#addRecordsNaming(record, query, builder)
      for (const cci of this.#ccisOf(record).slice(0, MAX_CCIS))
        this.#addRecordsCiting(nameOf(cci), CLOSENESS.implementing, builder)
      this.#addControls(record, closeness)
      for (const { iri } of record.successors) {
        const successor = knowledge.byIri.get(iri)
        if (successor !== undefined) this.#raiseOf(successor, CLOSENESS.successor * closeness)
      }
      if (builder.isEmpty) continue
      const linked = builder.finish()
      weighBySimilarity(linked, `${record.label} ${record.text}`, this.#library)
      this.linked.addAll(linked, closeness)
    }
  }

  #addTechniques({ id, iri }: OntologyRecord, linked: LinkedBuilder): void {
    for (const link of this.#library.knowledge.links.get(id ?? '') ?? []) {
      const key = this.#techniqueKey(link.technique)
      if (key === null) continue
      this.#relationOfKey(key).through.push(link)
      this.#raise(linked, key, CLOSENESS.linked * strengthOf(link.relation))
    }
    for (const [technique, strength] of this.#defenses.get(iri ?? '') ?? [])
      this.#addDefense(technique, strength, linked)
  }

  #addDefense(technique: string, strength: number, linked: LinkedBuilder): void {
    const key = this.#techniqueKey(technique)
    if (key !== null) this.#raise(linked, key, CLOSENESS.countering * strength)
    for (const cci of this.#library.knowledge.ccisOfTechniques.get(technique) ?? [])
      this.#addRecordsCiting(nameOf(cci), CLOSENESS.implementing * strength, linked)
  }

  /** Rules and requirements whose texts name an attack or weakness, as the query or the ontology does. */
  #addRecordsNaming({ label, synonyms }: OntologyRecord, { tokens }: ParsedQuery, linked: LinkedBuilder): void {
    const names = [tokens.flatMap((token) => token.words), ...[label, ...synonyms].map(wordsOf)]
    for (const words of names)
      for (const part of this.#library.guidance)
        linked.raiseAll(part, hitsOf(part.segment, { words, prefix: false }).records, CLOSENESS.naming)
  }

  #raise(linked: LinkedBuilder, key: number, closeness: number): void {
    const location = this.#library.placeOf(key)
    if (location !== null) linked.raise(location, closeness)
  }

  #techniqueKey(iri: string): number | null {
    const { byIri } = this.#library.knowledge
    const number = byIri.get(iri)
    return number === undefined ? null : keyOf('technique', number)
  }

  #addRecordsCiting(name: string, closeness: number, linked: LinkedBuilder): void {
    for (const { part, records } of recordsWith(this.#library.guidance, name, { field: 'cited' }))
      linked.raiseAll(part, records, closeness)
  }

  /** The controls that a CCI belongs to. */
  #addControls({ kind, id }: OntologyRecord, closeness: number): void {
    const { controls, names } = this.#library.knowledge
    if (kind !== 'cci') return
    for (const control of controls.get(id ?? '') ?? [])
      for (const number of names.get(nameOf(control)) ?? []) this.#raiseOf(number, CLOSENESS.above * closeness)
  }

  #raiseOf(record: number, closeness: number): void {
    const kind = this.#library.knowledge.records[record]?.kind
    if (kind !== undefined) this.#raise(this.linked, keyOf(kind, record), closeness)
  }

  /** CCIs whose rules are related to a record: those of a control, or those linked to a technique. */
  #ccisOf({ kind, id, iri }: OntologyRecord): readonly string[] {
    const { ccis, ccisOfTechniques } = this.#library.knowledge
    return (kind === 'control' ? ccis.get(id ?? '') : ccisOfTechniques.get(iri ?? '')) ?? []
  }
}

/** Records that have a name, or a name with this prefix. May include removed records. */
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
  return [...known].flatMap(([key, { named: namedCount, isLabelMatch }]) => {
    const { kind, id } = recordOf(key)
    const iri = knowledge.records[id]?.iri ?? null
    return isAttack(kind) && (namedCount > 0 || isLabelMatch) && iri !== null ? [iri] : []
  })
}
