import { compareCodeUnits } from '../../graph/term.ts'
import { d3f, dcterms, rdf, rdfs, skos } from '../../graph/vocabulary.ts'
import { append } from '../../platform/append.ts'
import { wordsOf } from '../../platform/words.ts'
import { textsOf, valuesOf, type Facts, type Values } from './facts.ts'
import type { OntologyRecord, ComparedRelease } from './records.ts'

/** Weights of the similarities. A feature that only one record has counts as no similarity. */
export const WEIGHTS = { mappings: 0.4, label: 0.35, definition: 0.25 } as const
/** Successors below this are not listed. */
export const MIN_CONFIDENCE = 0.3
export const MAX_SUCCESSORS = 3

/** Limit of the candidates that are compared in full: those that share most with the missing record. */
const MAX_CANDIDATES = 40
/** A feature that more records share does not distinguish them. */
const MAX_SHARING = 200

/** A possible successor of a record, with its confidence from 0 to 1 in hundredths; `stated`: the ontology says so. */
export interface Successor {
  readonly record: OntologyRecord
  readonly confidence: number
  readonly likeness: Readonly<Record<keyof typeof WEIGHTS, number>>
  readonly stated: boolean
}

/** The features by which a record is recognised. */
interface RecordFeatures {
  readonly record: OntologyRecord
  /** Links in both directions, with their properties. */
  readonly mappings: ReadonlySet<string>
  /** The words of each name. */
  readonly labels: readonly ReadonlySet<string>[]
  readonly definition: ReadonlySet<string>
}

/**
 * Finds probable successors of missing records among the records of the same kind that the later release has and has not
 * deprecated. Few records are missing, so only their features are indexed.
 */
export class Successors {
  readonly #to: ComparedRelease
  readonly #vanished: ReadonlyMap<string, RecordFeatures>
  readonly #candidates = new Map<string, RecordFeatures>()
  /** IRIs of candidates by kind and identifier. */
  readonly #byId = new Map<string, string>()
  readonly #byToken = new Map<string, RecordFeatures[]>()

  constructor(from: ComparedRelease, to: ComparedRelease, vanished: readonly OntologyRecord[]) {
    this.#to = to
    const before = new FeatureReader(from.facts, vanished)
    this.#vanished = new Map(vanished.map((record) => [record.iri, before.of(record)]))
    const kinds = new Set(vanished.map(({ kind }) => kind))
    const tokens = new Set(Array.from(this.#vanished.values(), (features) => [...tokensOf(features)]).flat())
    const candidates = [...to.records.values()].filter(({ kind, deprecated }) => kinds.has(kind) && !deprecated)
    const reader = new FeatureReader(to.facts, candidates)
    for (const record of candidates) {
      const features = reader.of(record)
      this.#candidates.set(record.iri, features)
      if (record.id !== null) this.#byId.set(`${record.kind} ${record.id}`, record.iri)
      for (const token of tokensOf(features)) if (tokens.has(token)) append(this.#byToken, token, features)
    }
  }

  /** Finds successors of a record that is missing in the later release. */
  of(vanished: OntologyRecord): readonly Successor[] {
    const features = this.#vanished.get(vanished.iri)
    if (features === undefined) return []
    const statedSuccessors = this.#statedFor(vanished)
    const candidates = [...this.#near(features), ...this.#statedAmong(statedSuccessors)]
    return [...new Set(candidates)]
      .filter(({ record }) => record.iri !== vanished.iri)
      .map((candidate) => compare(features, candidate, statedSuccessors))
      .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
      .sort((a, b) => b.confidence - a.confidence || compareCodeUnits(a.record.iri, b.record.iri))
      .slice(0, MAX_SUCCESSORS)
  }

  /** `rdfs:seeAlso` names the successor of a deprecated record, perhaps by its identifier. */
  #statedFor({ iri, kind }: OntologyRecord): ReadonlySet<string | null> {
    const { facts, records } = this.#to
    const replacing = [...valuesOf(facts, iri, dcterms.isReplacedBy).values()]
    const isDeprecated = records.get(iri)?.deprecated === true
    const mentioned = isDeprecated ? [...valuesOf(facts, iri, rdfs.seeAlso).values()] : []
    const named = mentioned.map((value) => value.iri ?? this.#byId.get(`${kind} ${value.text}`) ?? null)
    return new Set([...replacing.map((value) => value.iri), ...named])
  }

  #statedAmong(iris: ReadonlySet<string | null>): readonly RecordFeatures[] {
    return [...iris].flatMap((iri) => this.#candidates.get(iri ?? '') ?? [])
  }

  #near(features: RecordFeatures): readonly RecordFeatures[] {
    const shared = new Map<RecordFeatures, number>()
    for (const token of tokensOf(features)) {
      const holders = this.#byToken.get(token) ?? []
      if (holders.length > MAX_SHARING) continue
      for (const holder of holders) shared.set(holder, (shared.get(holder) ?? 0) + 1)
    }
    return [...shared]
      .sort(([a, m], [b, n]) => n - m || compareCodeUnits(a.record.iri, b.record.iri))
      .slice(0, MAX_CANDIDATES)
      .map(([holder]) => holder)
  }
}

class FeatureReader {
  readonly #facts: Facts
  readonly #inbound = new Map<string, string[]>()

  constructor(facts: Facts, records: readonly OntologyRecord[]) {
    this.#facts = facts
    const iris = new Set(records.map(({ iri }) => iri))
    if (iris.size === 0) return
    for (const [subject, properties] of facts)
      for (const [property, values] of properties)
        for (const iri of sharedKeys(values, iris)) append(this.#inbound, iri, `^${property} ${subject}`)
  }

  of(record: OntologyRecord): RecordFeatures {
    const { iri } = record
    const mappings = new Set(this.#inbound.get(iri))
    for (const [property, values] of this.#facts.get(iri) ?? [])
      for (const value of values.values())
        if (value.iri !== null && property !== rdf.type) mappings.add(`${property} ${value.iri}`)
    const synonyms = [skos.altLabel, d3f.synonym].flatMap((p) => textsOf(this.#facts, iri, p))
    return {
      record,
      mappings,
      labels: [...record.labels, ...synonyms].map((name) => new Set(wordsOf(name))),
      definition: new Set(textsOf(this.#facts, iri, d3f.definition).flatMap(wordsOf)),
    }
  }
}

function* sharedKeys(values: Values, iris: ReadonlySet<string>): Generator<string, void> {
  for (const { iri } of values.values()) if (iri !== null && iris.has(iri)) yield iri
}

/** The features that distinguish a record from others of its kind. */
function* tokensOf({ record, mappings, labels, definition }: RecordFeatures): Generator<string, void> {
  for (const mapping of mappings) yield `${record.kind} m ${mapping}`
  for (const word of new Set(labels.flatMap((words) => [...words]))) yield `${record.kind} l ${word}`
  for (const word of definition) yield `${record.kind} d ${word}`
}

function compare(a: RecordFeatures, b: RecordFeatures, statedAs: ReadonlySet<string | null>): Successor {
  const mappings = jaccard(a.mappings, b.mappings)
  const label = Math.max(0, ...a.labels.flatMap((name) => b.labels.map((other) => diceCoefficient(name, other))))
  const definition = diceCoefficient(a.definition, b.definition)
  const weighed = WEIGHTS.mappings * mappings + WEIGHTS.label * label + WEIGHTS.definition * definition
  const isStated = statedAs.has(b.record.iri)
  return {
    record: b.record,
    confidence: isStated ? 1 : hundredths(weighed),
    likeness: {
      mappings: hundredths(mappings),
      label: hundredths(label),
      definition: hundredths(definition),
    },
    stated: isStated,
  }
}

/** Jaccard index: the shared elements, divided by all elements of both. */
function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = countShared(a, b)
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}

/** Dice coefficient: twice the shared elements, divided by the elements of each. */
function diceCoefficient(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = countShared(a, b)
  return shared === 0 ? 0 : (2 * shared) / (a.size + b.size)
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0
  for (const item of a) if (b.has(item)) count += 1
  return count
}

function hundredths(likeness: number): number {
  return Math.round(likeness * 100) / 100
}
