import { nameOf } from '../../platform/words.ts'
import { FIELD_BITS } from '../index/fields.ts'
import type { Library } from '../index/library.ts'
import type { RecordPlace } from '../index/record-index.ts'
import type { Segment } from '../index/segment.ts'
import { firstSection } from '../index/texts.ts'
import type { OntologyIndex } from '../knowledge/knowledge.ts'
import { tacticHead, tacticsOfControls, type TacticHead } from '../knowledge/links.ts'
import type { Candidates } from './candidates.ts'

/** Its own, or else those of the techniques that it is linked to. */
export function tacticsOf({ part, record }: RecordPlace, library: Library): readonly TacticHead[] {
  const { knowledge } = library
  const document = library.document(part.segment.keys[record] ?? 0)
  if (document === null)
    return tacticsOfControls(firstSection(part.segment, record, FIELD_BITS.cited), knowledge)
  return document.tactics.length > 0
    ? document.tactics.map(tacticHead)
    : tacticsOfControls([nameOf(document.id ?? '')], knowledge)
}

/** `d3f:Harden` and `harden` are the same. */
export function foldTactic(text: string): string {
  return text.replace(/^(?:d3f:|https?:\/\/\S*#)/i, '').toLowerCase()
}

/**
 * The tactics of records, as far as they were asked for: many records have the same few sets of them. Of one release of
 * the ontology; nothing in that and in a segment changes.
 */
export class TacticSets {
  readonly tactics: TacticHead[] = []
  /** Each the places of its tactics. The first one is empty. */
  readonly sets: (readonly number[])[] = [[]]
  readonly #places = new Map<string, number>()
  readonly #numbers = new Map<string, number>([['', 0]])
  /** Of each record one more than the number of its set; 0: not known yet. */
  readonly #known = new WeakMap<Segment, Uint32Array>()

  static ofRelease(knowledge: OntologyIndex): TacticSets {
    const known = ofReleases.get(knowledge) ?? new TacticSets()
    ofReleases.set(knowledge, known)
    return known
  }

  /** Of each candidate the number of its set. */
  of({ parts, partOf, records }: Candidates, library: Library): Uint32Array {
    const known = parts.map(({ segment }) => this.#in(segment))
    const sets = new Uint32Array(records.length)
    for (let candidate = 0; candidate < sets.length; candidate += 1) {
      const [place, record] = [partOf[candidate] ?? 0, records[candidate] ?? 0]
      const part = parts[place]
      const set = known[place]?.[record] ?? 0
      if (part !== undefined)
        sets[candidate] = set === 0 ? this.#fill({ part, record }, library) : set - 1
    }
    return sets
  }

  #in(segment: Segment): Uint32Array {
    const known = this.#known.get(segment) ?? new Uint32Array(segment.keys.length)
    this.#known.set(segment, known)
    return known
  }

  #fill(place: RecordPlace, library: Library): number {
    const heads = tacticsOf(place, library)
    const places = [...new Set(heads.map((head) => this.#placeOf(head)))].sort((a, b) => a - b)
    const name = places.join(' ')
    const number = this.#numbers.get(name) ?? this.sets.push(places) - 1
    this.#numbers.set(name, number)
    this.#in(place.part.segment)[place.record] = number + 1
    return number
  }

  #placeOf(head: TacticHead): number {
    const known = this.#places.get(head.id) ?? this.tactics.push(head) - 1
    this.#places.set(head.id, known)
    return known
  }
}

const ofReleases = new WeakMap<OntologyIndex, TacticSets>()
