import type { RecordOwner } from '../../contracts/search-feed.ts'
import { ownerNumber } from '../index/library.ts'

/** Which releases are looked at. */
export interface Scope {
  /** Releases beside the newest one of each line: 'all', or these. */
  readonly releases: ReadonlySet<number> | 'all'
}

/** A year takes so much from a release: the newer one of two that say the same comes first. */
const PER_YEAR = 0.02
const LEAST = 0.6
const YEAR_MS = 365.25 * 24 * 3600 * 1000

/** What an owner makes of the score of its records; one that is not there, or 0: they are not looked at. */
export type OwnerFactors = ReadonlyMap<number, number>

export function ownerFactors(owners: Iterable<RecordOwner>, scope: Scope): Map<number, number> {
  const all = [...owners]
  const factors = new Map<number, number>([[0, 1]])
  const newest = Math.max(...all.map(dateOf).filter((date) => !Number.isNaN(date)))
  for (const owner of all)
    if (isIn(owner, scope)) factors.set(ownerNumber(owner), ageFactor(owner, newest))
  return factors
}

/** Components are all there: of those that the asker may not read, the library has nothing. */
function isIn({ of, id, benchmark }: RecordOwner, { releases }: Scope): boolean {
  if (of === 'component') return true
  return benchmark?.isNewest === true || releases === 'all' || releases.has(id)
}

/** Beside the newest release of all, not beside today: what was true yesterday is true today. */
function ageFactor(owner: RecordOwner, newest: number): number {
  const date = dateOf(owner)
  if (Number.isNaN(date)) return 1
  return Math.max(LEAST, 1 - (PER_YEAR * (newest - date)) / YEAR_MS)
}

function dateOf({ benchmark }: RecordOwner): number {
  return Date.parse(benchmark?.releaseDate ?? '')
}
