import type { RecordOwner } from '../../contracts/search-feed.ts'
import { factsOf, OWNER, SEVERITY } from '../index/facts.ts'
import { ownerNumber, type Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'

/** Releases that are searched. */
export interface Scope {
  /** Releases beside the newest one of each line: 'all', or these. */
  readonly releases: ReadonlySet<number> | 'all'
}

/** The factor of a release falls by this much a year, so that newer releases come first. */
const PER_YEAR = 0.015
const MIN_FACTOR = 0.6
const YEAR_MS = 365.25 * 24 * 3600 * 1000

/** Factors on the score of an owner's records, by `ownerNumber`; 0 or none: the records are not searched. */
export type OwnerFactors = Float64Array

export function factorsOf(library: Pick<Library, 'owners'>, scope: Scope): OwnerFactors {
  const owners = [...library.owners.values()]
  const newest = owners.map(dateOf).reduce((a, b) => (b > a ? b : a), -Infinity)
  const last = owners.map(ownerNumber).reduce((a, b) => Math.max(a, b), 0)
  const factors = new Float64Array(last + 1)
  factors[0] = 1
  for (const owner of owners) if (isSearched(owner, scope)) factors[ownerNumber(owner)] = ageFactor(owner, newest)
  return factors
}

/** All components are searched: the library has only those that the caller may read. */
function isSearched({ kind, id, benchmark }: RecordOwner, { releases }: Scope): boolean {
  if (kind === 'component') return true
  return benchmark?.isNewest === true || releases === 'all' || releases.has(id)
}

/** Compares with the newest release instead of today, so that the order does not change from day to day. */
function ageFactor(owner: RecordOwner, newest: number): number {
  const date = dateOf(owner)
  if (Number.isNaN(date)) return 1
  return Math.max(MIN_FACTOR, 1 - (PER_YEAR * (newest - date)) / YEAR_MS)
}

function dateOf({ benchmark }: RecordOwner): number {
  return Date.parse(benchmark?.releaseDate ?? '')
}

/** Factor for records with the severity that the query names. */
const PREFERRED_FACTOR = 1.6

/** Inputs to the factors of the records of a part. */
export interface Factors {
  readonly ofOwners: OwnerFactors
  /** See `factsOf`. */
  readonly facts: Uint32Array
  /** Null: none is. */
  readonly deleted: Uint8Array | null
  readonly allowed: Uint8Array | null
  /** Records of this `severityNumber` come first; 0: none do. */
  readonly preferredSeverity: number
}

export function factorsIn(
  { segment, deleted, live }: IndexPart,
  { factors, preferredSeverity }: { readonly factors: OwnerFactors; readonly preferredSeverity: number },
  allowed: Uint8Array | null,
): Factors {
  const facts = factsOf(segment)
  const removedRecords = live === deleted.length ? null : deleted
  return { ofOwners: factors, facts, deleted: removedRecords, allowed, preferredSeverity }
}

/** Factor on the score of a record; 0 if it is excluded or its release is not searched. */
export function factorIn(factors: Factors, record: number, fact: number): number {
  const { ofOwners, deleted, allowed, preferredSeverity } = factors
  if (allowed?.[record] === 0 || deleted?.[record] === 1) return 0
  const factor = ofOwners[(fact >>> OWNER.shift) & OWNER.mask] ?? 0
  const isPreferred = ((fact >>> SEVERITY.shift) & SEVERITY.mask) === preferredSeverity
  return preferredSeverity !== 0 && isPreferred ? factor * PREFERRED_FACTOR : factor
}
