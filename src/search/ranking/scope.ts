import type { RecordOwner } from '../../contracts/search-feed.ts'
import { ownerNumber, type Library } from '../index/library.ts'

/** Which releases are looked at. */
export interface Scope {
  /** Releases beside the newest one of each line: 'all', or these. */
  readonly releases: ReadonlySet<number> | 'all'
}

/** A year takes so much from a release: the newer one of two that say the same comes first. */
const PER_YEAR = 0.015
const LEAST = 0.6
const YEAR_MS = 365.25 * 24 * 3600 * 1000

/** What an owner makes of the score of its records, by `ownerNumber`; 0, or none: they are not looked at. */
export type OwnerFactors = Float64Array

const usual = new WeakMap<Library['owners'], OwnerFactors>()

/** Remembered for the newest releases, which nearly everybody asks for. */
export function factorsOf({ owners }: Pick<Library, 'owners'>, scope: Scope): OwnerFactors {
  const isUsual = scope.releases !== 'all' && scope.releases.size === 0
  const known = isUsual ? usual.get(owners) : undefined
  if (known !== undefined) return known
  const factors = ownerFactors([...owners.values()], scope)
  if (isUsual) usual.set(owners, factors)
  return factors
}

function ownerFactors(owners: readonly RecordOwner[], scope: Scope): OwnerFactors {
  const newest = owners.map(dateOf).reduce((a, b) => (b > a ? b : a), -Infinity)
  const last = owners.map(ownerNumber).reduce((a, b) => Math.max(a, b), 0)
  const factors = new Float64Array(last + 1)
  factors[0] = 1
  for (const owner of owners)
    if (isIn(owner, scope)) factors[ownerNumber(owner)] = ageFactor(owner, newest)
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
