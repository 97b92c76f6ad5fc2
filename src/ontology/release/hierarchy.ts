import { compareCodeUnits } from '../../graph/term.ts'
import { append } from '../../platform/append.ts'
import { getOrMake } from '../../platform/get-or-make.ts'

/**
 * The subclass tree of named classes: direct edges and their reflexive-transitive closures, without further inference.
 * Closures are sorted by IRI, computed once, and stop at cycles.
 */
export class Hierarchy {
  readonly #parents = new Map<string, string[]>()
  readonly #children = new Map<string, string[]>()
  readonly #up = new Map<string, ReadonlySet<string>>()
  readonly #down = new Map<string, ReadonlySet<string>>()

  constructor(edges: Iterable<readonly [subclass: string, superclass: string]>) {
    for (const [subclass, superclass] of edges) {
      append(this.#parents, subclass, superclass)
      append(this.#children, superclass, subclass)
    }
    for (const list of [...this.#parents.values(), ...this.#children.values()]) {
      list.sort(compareCodeUnits)
    }
  }

  /** Every class with an edge, sorted. */
  classes(): readonly string[] {
    const iris = new Set([...this.#parents.keys(), ...this.#children.keys()])
    return [...iris].sort(compareCodeUnits)
  }

  /** Direct superclasses. */
  parents(iri: string): readonly string[] {
    return this.#parents.get(iri) ?? []
  }

  /** Direct subclasses. */
  children(iri: string): readonly string[] {
    return this.#children.get(iri) ?? []
  }

  /** The class and all its ancestors. */
  up(iri: string): ReadonlySet<string> {
    return getOrMake(this.#up, iri, () => closure(iri, this.#parents))
  }

  /** The class and all its descendants. */
  down(iri: string): ReadonlySet<string> {
    return getOrMake(this.#down, iri, () => closure(iri, this.#children))
  }

  /** All descendants without the class itself, even where a cycle leads back to it. */
  below(iri: string): readonly string[] {
    return [...this.down(iri)].filter((other) => other !== iri)
  }
}

function closure(start: string, edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set([start])
  // Iterating over a Set also visits elements that are added meanwhile.
  for (const iri of reached) for (const next of edges.get(iri) ?? []) reached.add(next)
  return new Set([...reached].sort(compareCodeUnits))
}
