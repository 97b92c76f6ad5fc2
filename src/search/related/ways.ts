import type { RelatedWay } from '../../contracts/search.ts'
import type { OntologyDocument, ClassRelative } from '../../contracts/sources.ts'
import { INHERITED } from '../knowledge/links.ts'

/** A stop on a way: its name in the path, and its text in the sentence. */
export interface WayPoint {
  readonly name: string
  readonly text: string
}

interface WayStep {
  readonly relation: string
  readonly backwards: boolean
  readonly to: WayPoint
  /** How closely it relates the two; 0 to 1. */
  readonly strength: number
}

const SUBCLASS = 'rdfs:subClassOf+'
const IN_WORDS: Readonly<Record<string, string>> = { [SUBCLASS]: 'is a kind of' }

/** A way as it is walked; each step returns a new, longer one. */
export class Walk {
  readonly #start: WayPoint
  readonly #steps: readonly WayStep[]

  constructor(start: WayPoint, steps: readonly WayStep[] = []) {
    this.#start = start
    this.#steps = steps
  }

  /** Here --relation→ there. */
  along(relation: string, to: WayPoint, strength = 1): Walk {
    return this.#and({ relation, backwards: false, to, strength })
  }

  /** Here ←relation-- there. */
  against(relation: string, to: WayPoint, strength = 1): Walk {
    return this.#and({ relation, backwards: true, to, strength })
  }

  #and(step: WayStep): Walk {
    return new Walk(this.#start, [...this.#steps, step])
  }

  /** A step without a name: one cites the other. */
  to(place: WayPoint): Walk {
    return this.along('', place)
  }

  /** From a class to its relative; no step where that is the class itself. */
  up({ is }: Pick<ClassRelative, 'is'>, to: WayPoint): Walk {
    if (is === 'itself') return this
    return is === 'above' ? this.along(SUBCLASS, to, INHERITED) : this.against(SUBCLASS, to, INHERITED)
  }

  /** From a relative back to the class. */
  down({ is }: Pick<ClassRelative, 'is'>, to: WayPoint): Walk {
    if (is === 'itself') return this
    return is === 'above' ? this.against(SUBCLASS, to, INHERITED) : this.along(SUBCLASS, to, INHERITED)
  }

  /** How closely it relates its ends; 0 to 1. */
  get strength(): number {
    return this.#steps.reduce((product, { strength }) => product * strength, 1)
  }

  way(): RelatedWay {
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
export function placeOf({ kind, name, id, label, tactics }: OntologyDocument): WayPoint {
  if (kind === 'technique' && tactics.length > 0)
    return { name, text: `${label} (${tactics.map((tactic) => tactic.label).join(', ')})` }
  if (id === null || id === label || kind === 'technique') return { name, text: label }
  if (kind === 'control') return { name: id, text: id }
  return { name, text: `${label} (${id})` }
}
