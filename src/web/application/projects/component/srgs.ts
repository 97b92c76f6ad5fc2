interface SrgRelease {
  readonly title: string
  readonly srg_id: string
  readonly version: string
  readonly is_latest: boolean
}

/** So many can be looked through. */
const MOST = 50

/** Finds SRGs whose title or id has all words: in the newest releases, or in all. */
export function findSrgs<T extends SrgRelease>(
  srgs: readonly T[],
  { words, isEvery }: { readonly words: readonly string[]; readonly isEvery: boolean },
): { readonly shown: readonly T[]; readonly total: number } {
  const found = srgs
    .filter(({ is_latest }) => isEvery || is_latest)
    .filter(({ title, srg_id, version }) => {
      const text = `${title} ${srg_id} ${version}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
  return { shown: found.slice(0, MOST), total: found.length }
}
