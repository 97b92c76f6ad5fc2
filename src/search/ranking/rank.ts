import type { Kind } from '../../contracts/sources.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { recordOf } from '../index/keys.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { Relation, RelationsByKey } from './named.ts'
import type { Accepts } from './required.ts'
import type { OwnerFactors } from './scope.ts'
import type { PartScores } from './score.ts'

/** A record that was found. */
export interface Ranked {
  readonly key: number
  readonly kind: Kind
  readonly part: IndexPart
  /** Its place in the part. */
  readonly record: number
  readonly score: number
  /** What its words are worth, 0 to 1, times the factor. */
  readonly words: number
  /** By the age of its release, and the product and severity that the query names. */
  readonly factor: number
  /** Where its best words are. */
  readonly place: 'title' | 'synonym' | 'text'
  /** How it is related to a record that the query names. */
  readonly relation: Relation | null
}

/** Records whose words are worth less than this share of the best one's are not what was meant. */
const LEAST_SHARE = 0.25

/** What a severity that the query names is worth. */
const PREFERRED = 1.6

/** Added to the value of the words, which is 0 to 1. */
const BONUS = { named: 3, linked: 0.9, called: 0.9 }

/** A small bonus by kind, which decides between records that fit equally well. */
const KINDS: Readonly<Record<Kind, number>> = {
  technique: 0.1,
  tactic: 0.1,
  rule: 0.08,
  'authored-rule': 0.07,
  'offensive-technique': 0.06,
  requirement: 0.05,
  component: 0.05,
  weakness: 0.05,
  artifact: 0.04,
  control: 0.02,
  cci: 0,
}

interface Found {
  readonly scores: readonly PartScores[]
  readonly relations: RelationsByKey
  readonly factors: OwnerFactors
  readonly accepts: Accepts
  /** As `severityNumber` gives it; of this severity come first. 0: none. */
  readonly preferredSeverity: number
}

/** The best first; those that fit equally well in the order of their keys. */
export function rank(found: Found): readonly Ranked[] {
  const best = Math.max(0, ...found.scores.map((scores) => weigh(scores, found)))
  const ranked = found.scores.flatMap((scores) => gather(scores, best * LEAST_SHARE, found))
  return ranked.sort((a, b) => b.score - a.score || a.key - b.key)
}

/** Puts the value of the words times the factor in the place of the former; returns the best. */
function weigh({ part, values }: PartScores, found: Found): number {
  let best = 0
  for (let record = 0; record < values.length; record += 1) {
    const value = values[record] ?? 0
    if (value === 0) continue
    const words = isLookedAt(part, record, found) ? value * factorOf(part, record, found) : 0
    values[record] = words
    if (words > best) best = words
  }
  return best
}

function isLookedAt(part: IndexPart, record: number, found: Found): boolean {
  return part.gone[record] === 0 && found.accepts(part, record)
}

/** Records are made only of what is shown: most words are in thousands of others. */
function gather(scores: PartScores, least: number, found: Found): readonly Ranked[] {
  const { part, values } = scores
  const { relations } = found
  const ranked: Ranked[] = []
  for (let record = 0; record < values.length; record += 1) {
    const words = values[record] ?? 0
    const isWorth = words > 0 && words >= least
    if (!isWorth && relations.size === 0) continue
    const relation = relations.get(part.segment.keys[record] ?? 0)
    if (isWorth || (relation && isLookedAt(part, record, found)))
      ranked.push(rankedRecord(scores, record, { found, relation }))
  }
  return ranked.filter(({ factor }) => factor > 0)
}

function rankedRecord(
  { part, values, fields }: PartScores,
  record: number,
  { found, relation }: { readonly found: Found; readonly relation: Relation | undefined },
): Ranked {
  const key = part.segment.keys[record] ?? 0
  const { kind } = recordOf(key)
  const words = values[record] ?? 0
  const score = words + KINDS[kind] + bonusOf(relation ?? null)
  const factor = factorOf(part, record, found)
  const place = placeOf(fields[record] ?? 0)
  return { key, kind, part, record, score, words, factor, place, relation: relation ?? null }
}

/** 0: of a release that is not looked at. */
function factorOf(
  { segment }: IndexPart,
  record: number,
  { factors, preferredSeverity }: Found,
): number {
  const factor = factors.get(segment.owners[record] ?? 0) ?? 0
  const isPreferred = preferredSeverity !== 0 && segment.severities[record] === preferredSeverity
  return isPreferred ? factor * PREFERRED : factor
}

function bonusOf(relation: Relation | null): number {
  if (relation === null) return 0
  const { named, linked, isCalled } = relation
  return BONUS.named * named + BONUS.linked * linked + (isCalled ? BONUS.called : 0)
}

function placeOf(fields: number): Ranked['place'] {
  if ((fields & FIELD_BITS.title) !== 0) return 'title'
  return (fields & FIELD_BITS.synonym) === 0 ? 'text' : 'synonym'
}
