import { createHash } from 'node:crypto'
import type { Names } from '../../graph/names.ts'
import { compareCodeUnits, termKey, type Statement, type Term } from '../../graph/term.ts'
import { append } from '../../platform/append.ts'
import { getOrMake } from '../../platform/get-or-make.ts'

/** A longer text of a blank node is cut off and ends with its digest, because nested nodes may make it very long. */
const MAX_TEXT_LENGTH = 1000

/** A value as it is compared and shown. */
export interface Value {
  /** A prefixed name, the text of a literal, or the statements of a blank node. */
  readonly text: string
  /** Null for literals and blank nodes. */
  readonly iri: string | null
}

/** Values by a key that only equal ones share. */
export type Values = ReadonlyMap<string, Value>

/** The statements of a graph, by named subject and property; blank nodes count by their own statements. */
export type Facts = ReadonlyMap<string, ReadonlyMap<string, Values>>

export function readFacts(statements: readonly Statement[], names: Names): Facts {
  const texts = new TermTexts(statements, names)
  const facts = new Map<string, Map<string, Map<string, Value>>>()
  for (const { subject, predicate, object } of statements) {
    if (subject.type === 'bnode') continue
    const properties = getOrMake(facts, subject.value, () => new Map())
    const values = getOrMake(properties, predicate.value, () => new Map())
    const text = texts.of(object)
    const key = object.type === 'bnode' ? `bnode ${text}` : termKey(object)
    values.set(key, { text, iri: object.type === 'uri' ? object.value : null })
  }
  return facts
}

const NO_VALUES: Values = new Map()

export function valuesOf(facts: Facts, subject: string, property: string): Values {
  return facts.get(subject)?.get(property) ?? NO_VALUES
}

/** Texts of the values, sorted. */
export function textsOf(facts: Facts, subject: string, property: string): readonly string[] {
  return sortedTexts(valuesOf(facts, subject, property).values())
}

export function sortedTexts(values: Iterable<Value>): readonly string[] {
  return Array.from(values, ({ text }) => text).sort(compareCodeUnits)
}

/** Texts for terms. Blank nodes with the same statements have the same text. */
class TermTexts {
  readonly #statements = new Map<string, Statement[]>()
  readonly #known = new Map<string, string>()
  readonly #iris = new Map<string, string>()
  readonly #names: Names

  constructor(statements: readonly Statement[], names: Names) {
    this.#names = names
    for (const statement of statements) {
      const { type, value } = statement.subject
      if (type === 'bnode') append(this.#statements, value, statement)
    }
  }

  of(term: Term): string {
    if (term.type === 'uri') return this.#ofIri(term.value)
    return term.type === 'literal' ? term.value : this.#ofBlank(term.value)
  }

  #ofIri(iri: string): string {
    return getOrMake(this.#iris, iri, () => this.#names.compact(iri))
  }

  #ofBlank(label: string): string {
    const cached = this.#known.get(label)
    if (cached !== undefined) return cached
    // A node can be reached again from itself.
    this.#known.set(label, '[ … ]')
    const labels = (this.#statements.get(label) ?? []).map(
      ({ predicate, object }) => `${this.#names.compact(predicate.value)} ${this.of(object)}`,
    )
    const text = shorten(`[ ${labels.sort(compareCodeUnits).join(' ; ')} ]`)
    this.#known.set(label, text)
    return text
  }
}

function shorten(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `${text.slice(0, MAX_TEXT_LENGTH)}… ${digest} ]`
}
