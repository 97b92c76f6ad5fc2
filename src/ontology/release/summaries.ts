import type { Graph } from '../../graph/graph.ts'
import { readQuery } from '../../graph/query.ts'
import { compareCodeUnits, type Literal } from '../../graph/term.ts'
import { rdfs } from '../../graph/vocabulary.ts'

const SUMMARIES = readQuery(new URL('./queries/summaries.rq', import.meta.url), ['subject', 'property', 'value'])

/** Names, identifiers, definitions and display order of every subject; values sorted. */
export class Summaries {
  readonly #facts = new Map<string, Map<string, Literal[]>>()

  add(subject: string, property: string, value: Literal): void {
    const properties = this.#facts.get(subject) ?? new Map<string, Literal[]>()
    this.#facts.set(subject, properties)
    const values = [...(properties.get(property) ?? []), value]
    properties.set(
      property,
      values.sort((a, b) => compareCodeUnits(a.value, b.value)),
    )
  }

  values(iri: string, property: string): readonly Literal[] {
    return this.#facts.get(iri)?.get(property) ?? []
  }

  has(iri: string, property: string): boolean {
    return this.values(iri, property).length > 0
  }

  labels(iri: string): readonly Literal[] {
    return this.values(iri, rdfs.label)
  }

  /** Every subject that has the property, with its values, in no particular order. */
  *withProperty(property: string): Generator<readonly [string, readonly Literal[]]> {
    for (const [iri, properties] of this.#facts) {
      const values = properties.get(property)
      if (values !== undefined) yield [iri, values]
    }
  }
}

export async function readSummaries(graph: Graph): Promise<Summaries> {
  const summaries = new Summaries()
  for (const { subject, property, value } of await graph.select(SUMMARIES)) {
    if (value.type === 'literal') summaries.add(subject.value, property.value, value)
  }
  return summaries
}
