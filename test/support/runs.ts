import fc from 'fast-check'

/** Whether this is a deep run, every night, which also runs expensive tests. */
export const isDeep = process.env['PARAPET_TEST_DEEP'] !== undefined

/** A deep run tries this many times more inputs. */
const FACTOR = isDeep ? 30 : 1

const BY_DEFAULT = 100

fc.configureGlobal({ numRuns: runs(BY_DEFAULT) })

/** The number of runs of a test with its own number. */
export function runs(times: number): number {
  return times * FACTOR
}

/** Runs cases only in deep runs that resemble others. */
export function onlyDeep<T>(items: readonly T[]): readonly T[] {
  return isDeep ? items : []
}

/**
 * Chooses this number of cases, and other ones at each call, so that all cases are tried somewhere. A deep run chooses
 * more of them, up to all.
 */
export function someOf<T>(items: readonly T[], count: number, turn: number): readonly T[] {
  const first = turn * count
  return items.filter((_one, index) => (((index - first) % items.length) + items.length) % items.length < runs(count))
}

/** This number of cases, spread over the whole list; in a deep run all of them. */
export function spreadOf<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(items.length / runs(count)))
  return items.filter((_one, index) => index % step === 0)
}
