type NamedRelease = {
  readonly title: string
  readonly version: string
  readonly is_latest: boolean
} & ({ readonly srg_id: string } | { readonly stig_id: string })

export type BenchmarkRelease = NamedRelease & {
  readonly id: number
  readonly severity_counts: Readonly<Record<'high' | 'medium' | 'low', number>>
}

/** Largest number of releases in the list. */
const MAX_RELEASES = 50

/** Finds benchmarks whose title, id or version has all words: in the newest releases, or in all. */
export function findReleases<T extends NamedRelease>(
  releases: readonly T[],
  { words, isEvery }: { readonly words: readonly string[]; readonly isEvery: boolean },
): { readonly shown: readonly T[]; readonly total: number } {
  const matches = releases
    .filter(({ is_latest }) => isEvery || is_latest)
    .filter((release) => {
      const text = `${release.title} ${idOf(release)} ${release.version}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
  return { shown: matches.slice(0, MAX_RELEASES), total: matches.length }
}

export function idOf(release: NamedRelease): string {
  return 'srg_id' in release ? release.srg_id : release.stig_id
}

/** `12 rules`; an SRG has requirements. */
export function sizeOf(release: BenchmarkRelease): string {
  const { high, medium, low } = release.severity_counts
  return `${high + medium + low} ${'srg_id' in release ? 'requirements' : 'rules'}`
}
