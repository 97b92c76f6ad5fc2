import type { LocationQuery, LocationQueryRaw } from 'vue-router'

/** The folded parts of the matrix in the address: all or none, with exceptions. */
export interface Folding {
  readonly isFolded: (name: string) => boolean
  /** The address with a name folded, or no longer. */
  readonly toggled: (name: string) => LocationQueryRaw
  /** The address with all folded, or with nothing. */
  readonly whole: (isFolded: boolean) => LocationQueryRaw
}

export function readFolding(query: LocationQuery): Folding {
  const { fold, but } = query
  const isAll = fold === 'all'
  const others = typeof but === 'string' ? but.split(',').filter((name) => name !== '') : []
  const whole = (isFolded: boolean): LocationQueryRaw => ({
    ...query,
    fold: isFolded ? 'all' : undefined,
    but: undefined,
  })
  return {
    isFolded: (name) => isAll !== others.includes(name),
    toggled: (name) => {
      const names = others.includes(name) ? others.filter((other) => other !== name) : [...others, name]
      return { ...whole(isAll), but: names.length === 0 ? undefined : names.join(',') }
    },
    whole,
  }
}
