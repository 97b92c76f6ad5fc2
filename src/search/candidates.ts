import type { ControlLink, GuidanceMatch, Kind } from '../contracts/sources.ts'
import { nameOf, wordsOf } from '../platform/words.ts'
import type { OntologyIndex, OntologyRecord } from './ontology-index.ts'
import type { Term } from './terms.ts'
import type { Field } from './word-index.ts'

/** A possible result, with what speaks for it. */
export interface Candidate {
  readonly key: string
  readonly kind: Kind
  readonly title: string
  /** Sorts `AC-2(9)` before `AC-2(10)`. */
  readonly order: string
  /** Those that can be ranked without reading long texts. */
  readonly fields: readonly Field[]
  /** Terms that it contains, in whichever field. */
  readonly met: Set<Term>
  /** The share of the query that is its name, 0 to 1. */
  named: number
  /** How closely it is related to a named record (cites it, is part of it, is linked to it), 0 to 1. */
  linked: number
  /** Links that lead from named controls to this technique. */
  readonly through: ControlLink[]
  /** Whether the query is its label or a synonym. */
  isCalled: boolean
  readonly source: CandidateSource
}

export type CandidateSource =
  | { readonly of: 'ontology'; readonly record: OntologyRecord; readonly number: number }
  | { readonly of: 'guidance'; readonly match: GuidanceMatch }

/** The candidates found so far, each once. */
export class Candidates {
  readonly #all = new Map<string, Candidate>()

  get size(): number {
    return this.#all.size
  }

  all(): readonly Candidate[] {
    return [...this.#all.values()]
  }

  ofOntology({ records, words }: OntologyIndex, number: number): Candidate | null {
    const record = records[number]
    if (record === undefined) return null
    const key = `ontology ${number}`
    return this.#kept(key, () =>
      fresh({
        key,
        kind: record.kind,
        title: record.label,
        fields: words.fields(number),
        source: { of: 'ontology', record, number },
      }),
    )
  }

  ofGuidance(match: GuidanceMatch): Candidate {
    const key = keyOf(match)
    return this.#kept(key, () =>
      fresh({
        key,
        kind: match.kind,
        title: match.title,
        fields: guidanceFields(match),
        source: { of: 'guidance', match },
      }),
    )
  }

  #kept(key: string, make: () => Candidate): Candidate {
    const there = this.#all.get(key)
    if (there !== undefined) return there
    const made = make()
    this.#all.set(key, made)
    return made
  }
}

/** The key of a record in `GuidanceDocuments.texts`. */
export function keyOf({ kind, recordId }: Pick<GuidanceMatch, 'kind' | 'recordId'>): string {
  return `${kind} ${recordId}`
}

type NewCandidate = Pick<Candidate, 'key' | 'kind' | 'title' | 'fields' | 'source'>

/** Written out: there are hundreds, and spreading objects takes many times as long. */
function fresh({ key, kind, title, fields, source }: NewCandidate): Candidate {
  return {
    key,
    kind,
    title,
    order: orderOf(title),
    fields,
    met: new Set(),
    named: 0,
    linked: 0,
    through: [],
    isCalled: false,
    source,
  }
}

/** Queries meet the same titles and names again and again. */
const titleWords = remembering(wordsOf)
const nameWord = remembering(nameOf)
const MOST_REMEMBERED = 50_000

function remembering<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const there = known.get(text)
    if (there !== undefined) return there
    const result = work(text)
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(text, result)
    return result
  }
}

const NUMBERS = /\d+/g

function orderOf(title: string): string {
  return /\d/.test(title)
    ? title.slice(0, 100).replace(NUMBERS, (digits) => digits.padStart(9, '0'))
    : title
}

/** Without its long texts, which stay in the database. */
function guidanceFields({ title, names, ccis, benchmark, component }: GuidanceMatch): Field[] {
  const context = benchmark?.title ?? component?.name ?? ''
  return [
    { name: 'names', words: [...names, ...ccis].map(nameWord) },
    { name: 'label', words: titleWords(title) },
    { name: 'context', words: titleWords(context) },
  ]
}
