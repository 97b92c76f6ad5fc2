import { getOrMake } from '../../platform/get-or-make.ts'
import { nameOf } from '../../platform/words.ts'
import { FIELD_BITS } from '../index/fields.ts'
import type { Library } from '../index/library.ts'
import type { RecordLocation } from '../index/record-index.ts'
import type { Segment } from '../index/segment.ts'
import { firstNumbers, firstSection } from '../index/texts.ts'
import { tacticHead, tacticsOfControls, type TacticHead } from '../knowledge/links.ts'
import type { OntologyIndex } from '../knowledge/ontology-index.ts'
import type { CandidateRun } from './candidates.ts'
import { MASK_BITS, type BitMasks } from './counts.ts'

/** The tactics of a record, or else those of the techniques that it is linked to. */
export function tacticsOf({ part, record }: RecordLocation, library: Library): readonly TacticHead[] {
  const { knowledge } = library
  const document = library.document(part.segment.keys[record] ?? 0)
  if (document === null) return tacticsOfControls(firstSection(part.segment, record, FIELD_BITS.cited), knowledge)
  return document.tactics.length > 0
    ? document.tactics.map(tacticHead)
    : tacticsOfControls([nameOf(document.id ?? '')], knowledge)
}

/** `d3f:Harden` and `harden` are the same. */
export function foldTactic(text: string): string {
  return text.replace(/^(?:d3f:|https?:\/\/\S*#)/i, '').toLowerCase()
}

/**
 * Caches the tactics of records for one release of the ontology. Many records share the same few sets of tactics. Valid
 * as long as the release, because segments are immutable.
 */
export class TacticSets {
  readonly tactics: TacticHead[] = []
  /** Sets as indexes in `tactics`. The first stands for sets that are not computed yet. */
  readonly sets: (readonly number[])[] = [[]]
  readonly #places = new Map<string, number>()
  readonly #numbers = new Map<string, number>()
  readonly #known = new WeakMap<Segment, SegmentTactics>()

  static ofRelease(knowledge: OntologyIndex): TacticSets {
    return getOrMake(setsByRelease, knowledge, () => new TacticSets())
  }

  /** Tactics of each set, as bits. */
  masks(): BitMasks {
    const masks = Array.from(
      { length: Math.max(1, Math.ceil(this.tactics.length / MASK_BITS)) },
      () => new Uint32Array(this.sets.length),
    )
    for (const [number, set] of this.sets.entries())
      for (const tactic of set) {
        const mask = masks[Math.floor(tactic / MASK_BITS)]
        if (mask !== undefined) mask[number] = (mask[number] ?? 0) | (1 << (tactic % MASK_BITS))
      }
    return masks
  }

  /** Writes the set number of each candidate of a part. */
  note(values: Uint32Array, { part, from, to, records }: CandidateRecords, library: Library): void {
    const { segment } = part
    const segmentTactics = getOrMake(this.#known, segment, () => ({
      sets: new Uint32Array(segment.keys.length),
      byCited: new Map(),
    }))
    const { sets } = segmentTactics
    for (let candidate = from; candidate < to; candidate += 1) {
      const record = records[candidate] ?? 0
      if (sets[record] === 0) sets[record] = this.#knownSetOf({ part, record }, segmentTactics, library)
      values[candidate] = sets[record] ?? 0
    }
  }

  /** Thousands of records cite the same. */
  #knownSetOf(location: RecordLocation, { byCited }: SegmentTactics, library: Library): number {
    const cited = firstNumbers(location.part.segment, location.record, FIELD_BITS.cited).join(' ')
    if (cited === '') return this.#setOf(location, library)
    return getOrMake(byCited, cited, () => this.#setOf(location, library))
  }

  #setOf(location: RecordLocation, library: Library): number {
    const heads = tacticsOf(location, library)
    const places = [...new Set(heads.map((head) => this.#placeOf(head)))].sort((a, b) => a - b)
    return getOrMake(this.#numbers, places.join(' '), () => this.sets.push(places) - 1)
  }

  #placeOf(head: TacticHead): number {
    return getOrMake(this.#places, head.id, () => this.tactics.push(head) - 1)
  }
}

/** A run of candidates, with the records of all candidates. */
interface CandidateRecords extends CandidateRun {
  readonly records: Uint32Array
}

/** Tactic sets of the records of a segment, as far as they were computed. */
interface SegmentTactics {
  /** Set number of each record. */
  readonly sets: Uint32Array
  /** Set number by the CCIs that records cite. */
  readonly byCited: Map<string, number>
}

const setsByRelease = new WeakMap<OntologyIndex, TacticSets>()
