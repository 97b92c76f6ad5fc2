type BenchmarkRelease = {
  readonly title: string
  readonly version: string
  readonly is_latest: boolean
} & ({ readonly srg_id: string } | { readonly stig_id: string })

/** So many can be looked through. */
const MAX_RELEASES = 50

/** Finds benchmarks whose title, id or version has all words: in the newest releases, or in all. */
export function findReleases<T extends BenchmarkRelease>(
  releases: readonly T[],
  { words, isEvery }: { readonly words: readonly string[]; readonly isEvery: boolean },
): { readonly shown: readonly T[]; readonly total: number } {
  const found = releases
    .filter(({ is_latest }) => isEvery || is_latest)
    .filter((one) => {
      const id = 'srg_id' in one ? one.srg_id : one.stig_id
      const text = `${one.title} ${id} ${one.version}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
  return { shown: found.slice(0, MAX_RELEASES), total: found.length }
}
