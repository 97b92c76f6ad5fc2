/** A list of an answer that was shortened. */
export interface ShortenedList {
  /** `rules.attacks` */
  readonly list: string
  readonly shown: number
  readonly of: number
}

/** Lists are cut to the longest of these lengths with which the answer fits. */
const LENGTHS = [500, 200, 100, 50, 25, 10, 5, 3, 1, 0]
/** Limit of shortened lists that are named. */
const MAX_NAMED = 20

/** Shortens the lists of a value until its JSON has at most so many characters. Texts stay whole. */
export function shorten(value: unknown, most: number): { value: unknown; shortened: readonly ShortenedList[] } {
  if (JSON.stringify(value).length <= most) return { value, shortened: [] }
  let last: ReturnType<typeof shorten> = { value, shortened: [] }
  for (const length of LENGTHS) {
    const cuts = new Map<string, ShortenedList>()
    const shown = cut(value, { length, path: '', cuts })
    last = { value: shown, shortened: [...cuts.values()].slice(0, MAX_NAMED) }
    if (JSON.stringify(shown).length <= most) return last
  }
  return last
}

function cut(
  value: unknown,
  { length, path, cuts }: { readonly length: number; readonly path: string; readonly cuts: Map<string, ShortenedList> },
): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const known = cuts.get(path)
    // If several lists have the same path, the longest is named.
    if (items.length > length && (known === undefined || known.of < items.length))
      cuts.set(path, { list: path === '' ? 'answer' : path, shown: length, of: items.length })
    return items.slice(0, length).map((item) => cut(item, { length, path, cuts }))
  }
  if (typeof value !== 'object' || value === null) return value
  const shown = Object.entries(value).map(([name, member]: [string, unknown]) => {
    return [name, cut(member, { length, path: path === '' ? name : `${path}.${name}`, cuts })]
  })
  return Object.fromEntries(shown)
}
