import type { RelatedPath } from '../../contracts/related.ts'
import type { OntologyDocument, ClassRelative } from '../../contracts/sources.ts'
import { INHERITED } from '../knowledge/links.ts'

/** A node of a path: its name in the path, and its text in the sentence. */
export interface PathNode {
  readonly name: string
  readonly text: string
}

interface PathStep {
  readonly relation: string
  readonly backwards: boolean
  readonly to: PathNode
  /** The strength of the relation, 0 to 1. */
  readonly strength: number
}

const SUBCLASS = 'rdfs:subClassOf+'
const IN_WORDS: Readonly<Record<string, string>> = { [SUBCLASS]: 'is a kind of' }

/** A path from record to record; each step returns a new, longer one. */
export class LinkPath {
  readonly #start: PathNode
  readonly #steps: readonly PathStep[]

  constructor(start: PathNode, steps: readonly PathStep[] = []) {
    this.#start = start
    this.#steps = steps
  }

  /** Adds a step here --relation→ there. */
  along(relation: string, to: PathNode, strength = 1): LinkPath {
    return this.#append({ relation, backwards: false, to, strength })
  }

  /** Adds a step here ←relation-- there. */
  against(relation: string, to: PathNode, strength = 1): LinkPath {
    return this.#append({ relation, backwards: true, to, strength })
  }

  #append(step: PathStep): LinkPath {
    return new LinkPath(this.#start, [...this.#steps, step])
  }

  /** Adds a step without a name: one record cites the other. */
  to(node: PathNode): LinkPath {
    return this.along('', node)
  }

  /** Adds a step from a class to its relative; none if that is the class itself. */
  up({ is }: Pick<ClassRelative, 'is'>, to: PathNode): LinkPath {
    if (is === 'itself') return this
    return is === 'above' ? this.along(SUBCLASS, to, INHERITED) : this.against(SUBCLASS, to, INHERITED)
  }

  /** Adds a step from a relative back to the class. */
  down({ is }: Pick<ClassRelative, 'is'>, to: PathNode): LinkPath {
    if (is === 'itself') return this
    return is === 'above' ? this.against(SUBCLASS, to, INHERITED) : this.along(SUBCLASS, to, INHERITED)
  }

  /** The strength of the relation between its ends, 0 to 1. */
  get strength(): number {
    return this.#steps.reduce((product, { strength }) => product * strength, 1)
  }

  describe(): RelatedPath {
    const path = [this.#start.name]
    let sentence = this.#start.text
    for (const { relation, backwards, to } of this.#steps) {
      if (relation !== '') path.push(backwards ? `^${relation}` : relation)
      path.push(to.name)
      sentence += ` ${arrow(relation, backwards)} ${to.text}`
    }
    return { path, sentence }
  }
}

function arrow(relation: string, backwards: boolean): string {
  if (relation === '') return '→'
  const words = IN_WORDS[relation] ?? relation
  return backwards ? `← ${words} ←` : `→ ${words} →`
}

/** A record of the ontology: `Account Locking (Evict)`, `Password Guessing (T1110.001)`. */
export function nodeOf({ kind, name, id, label, tactics }: OntologyDocument): PathNode {
  if (kind === 'technique' && tactics.length > 0)
    return { name, text: `${label} (${tactics.map((tactic) => tactic.label).join(', ')})` }
  if (id === null || id === label || kind === 'technique') return { name, text: label }
  if (kind === 'control') return { name: id, text: id }
  return { name, text: `${label} (${id})` }
}
