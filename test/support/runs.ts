import fc from 'fast-check'

/** In a deep run, every night, also that is tried which something cheaper finds at each commit. */
export const isDeep = process.env['PARAPET_TEST_DEEP'] !== undefined

/** How many times more is tried in a deep run. */
const FACTOR = isDeep ? 30 : 1

const BY_DEFAULT = 100

fc.configureGlobal({ numRuns: runs(BY_DEFAULT) })

/** How often something is tried that has a number of its own. */
export function runs(times: number): number {
  return times * FACTOR
}

/** Leaves cases to deep runs that resemble others which run at each commit. */
export function onlyDeep<T>(all: readonly T[]): readonly T[] {
  return isDeep ? all : []
}

/**
 * So many of what might be tried everywhere, others at each turn, so that all have theirs; a deep run tries more
 * of them, up to all.
 */
export function someOf<T>(all: readonly T[], count: number, turn: number): readonly T[] {
  const first = turn * count
  return all.filter((_one, index) => (((index - first) % all.length) + all.length) % all.length < runs(count))
}

/** So many of them, as far apart as can be; a deep run has all. */
export function spreadOf<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(all.length / runs(count)))
  return all.filter((_one, index) => index % step === 0)
}
