import fc from 'fast-check'

/** How many times more is tried in a deep run. */
const FACTOR = process.env['PARAPET_TEST_DEEP'] === undefined ? 1 : 30

const BY_DEFAULT = 100

// What fails says with which seed, and comes again with it.
fc.configureGlobal({ numRuns: runs(BY_DEFAULT) })

/** How often something is tried that has a number of its own. */
export function runs(times: number): number {
  return times * FACTOR
}

/**
 * So many of what might be tried everywhere, others at each turn, so that all have theirs; a deep run tries more
 * of them, up to all.
 */
export function someOf<T>(all: readonly T[], count: number, turn: number): readonly T[] {
  const first = turn * count
  return all.filter(
    (_one, index) => (((index - first) % all.length) + all.length) % all.length < runs(count),
  )
}

/** So many of them, as far apart as can be; a deep run has all. */
export function spreadOf<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(all.length / runs(count)))
  return all.filter((_one, index) => index % step === 0)
}
