import { selectStatements, STATEMENT_COLUMNS } from '../../../../src/graph/statements.ts'
import { EmbeddedGraph } from '../../../../src/graph/store.ts'
import { D3F, rdf, rdfs } from '../../../../src/graph/vocabulary.ts'
import { append } from '../../../../src/platform/append.ts'
import { d3fIri } from '../../../support/release.ts'

const EVERYTHING = {
  text: 'SELECT ?subject ?predicate ?object WHERE { ?subject ?predicate ?object }',
  columns: STATEMENT_COLUMNS,
  optional: [],
}

type Pair = readonly [technique: string, other: string]

/** The pairs of some Turtle by loops over its triples: `technique other`, sorted. Nothing of the release is used. */
export class PlainPairs {
  /** Predicate and object by subject. */
  readonly #said = new Map<string, (readonly [predicate: string, object: string])[]>()
  readonly #children = new Map<string, string[]>()

  static async of(turtle: Uint8Array): Promise<PlainPairs> {
    const graph = new EmbeddedGraph()
    graph.load(turtle, 'text/turtle')
    const plain = new PlainPairs()
    for (const { subject, predicate, object } of await selectStatements(graph, EVERYTHING)) {
      if (subject.type === 'bnode' || object.type === 'bnode') continue
      append(plain.#said, subject.value, [predicate.value, object.value] as const)
      if (predicate.value === rdfs.subClassOf) append(plain.#children, object.value, subject.value)
    }
    return plain
  }

  /** Attack techniques that are published. */
  withAttacks(): readonly string[] {
    const attacks = this.#below('OffensiveTechnique').filter((technique) => this.#has(technique, 'attack-id'))
    return this.#meeting(attacks.map((attack) => [attack, this.#touched([attack])]))
  }

  withWeaknesses(): readonly string[] {
    const weaknesses = [...this.#said.keys()].filter((subject) => this.#has(subject, 'cwe-id'))
    return this.#meeting(
      weaknesses.map((weakness) => [weakness, this.#touched([...this.#up(weakness), ...this.#down(weakness)])]),
    )
  }

  withControls(): readonly string[] {
    const kinds = ['CCIControl', 'NISTControl'].map(d3fIri)
    const techniques = new Set(this.#below('DefensiveTechnique'))
    const pairs: Pair[] = []
    for (const [control, said] of this.#said) {
      if (!said.some(([, object]) => kinds.includes(object))) continue
      for (const [predicate, object] of said)
        if (predicate !== rdf.type && techniques.has(object)) pairs.push([object, control])
    }
    return sorted(pairs)
  }

  /** Techniques that touch an artifact above one that something else touches, or the same. */
  #meeting(others: readonly (readonly [string, readonly string[]])[]): readonly string[] {
    const touching = new Map<string, string[]>()
    for (const [other, touched] of others) for (const artifact of touched) append(touching, artifact, other)
    const published = this.#below('DefensiveTechnique').filter((technique) => this.#has(technique, 'd3fend-id'))
    const met = (technique: string): readonly string[] =>
      this.#touched([technique]).flatMap((artifact) =>
        [...this.#down(artifact)].flatMap((below) => touching.get(below) ?? []),
      )
    return sorted(published.flatMap((technique) => met(technique).map((other): Pair => [technique, other])))
  }

  /** The artifacts that any of these state a relation to. */
  #touched(subjects: readonly string[]): readonly string[] {
    const artifacts = this.#down(d3fIri('DigitalArtifact'))
    const said = subjects.flatMap((subject) => this.#said.get(subject) ?? [])
    return said.flatMap(([predicate, object]) =>
      predicate.startsWith(D3F) && artifacts.has(object) && object !== d3fIri('DigitalArtifact') ? [object] : [],
    )
  }

  /** Without the class itself. */
  #below(name: string): readonly string[] {
    return [...this.#down(d3fIri(name))].filter((child) => child !== d3fIri(name))
  }

  readonly #families = new Map<string, ReadonlySet<string>>()

  #down(iri: string): ReadonlySet<string> {
    const cached = this.#families.get(iri)
    if (cached !== undefined) return cached
    const reached = new Set([iri])
    for (const parent of reached) for (const child of this.#children.get(parent) ?? []) reached.add(child)
    this.#families.set(iri, reached)
    return reached
  }

  #up(iri: string): readonly string[] {
    return [...this.#children.keys()].filter((ancestor) => ancestor !== iri && this.#down(ancestor).has(iri))
  }

  #has(subject: string, name: string): boolean {
    return (this.#said.get(subject) ?? []).some(([predicate]) => predicate === d3fIri(name))
  }
}

function sorted(pairs: readonly Pair[]): readonly string[] {
  return [...new Set(pairs.map((pair) => pair.join(' ').replaceAll(D3F, '')))].sort()
}
