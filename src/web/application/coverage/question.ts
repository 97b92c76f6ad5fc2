import type { LocationQuery, LocationQueryRaw } from 'vue-router'

const KINDS = ['stig', 'srg', 'component', 'project'] as const
export type Kind = (typeof KINDS)[number]
/** The examined set, and the set that it is compared with. */
export type Side = '' | 'against_'

/** A document as the address names it: a number, or a name as the API takes it. */
export interface ChosenSource {
  readonly kind: Kind
  readonly name: string
}

export function readChosen(query: LocationQuery, side: Side): readonly ChosenSource[] {
  return KINDS.flatMap((kind) => {
    const values = [query[`${side}${kind}`] ?? []].flat()
    const names = values.flatMap((value) => value?.split(',') ?? [])
    return [...new Set(names)].filter((name) => name !== '').map((name) => ({ kind, name }))
  })
}

/** The address with other documents on one side; a cell that was opened stays open. */
export function withChosen(query: LocationQuery, side: Side, chosen: readonly ChosenSource[]): LocationQueryRaw {
  const lists = KINDS.map((kind) => {
    const names = chosen.filter((one) => one.kind === kind).map(({ name }) => name)
    return [`${side}${kind}`, names.length === 0 ? undefined : names] as const
  })
  return { ...query, ...Object.fromEntries(lists) }
}

/** Parameters of the API: the chosen documents, the release of the ontology and the domain of attacks. */
export function coverageParameters(query: LocationQuery): Readonly<Record<string, string>> {
  const sides: readonly Side[] = ['', 'against_']
  const lists = sides.flatMap((side) =>
    KINDS.map((kind) => {
      const own = readChosen(query, side).filter((one) => one.kind === kind)
      return [`${side}${kind}`, own.map(({ name }) => name).join(',')] as const
    }),
  )
  const single = (['release', 'domain'] as const).flatMap((name) => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return Object.fromEntries([...lists.filter(([, names]) => names !== ''), ...single])
}

export const VIEWS = ['d3fend', 'attack'] as const
export type View = (typeof VIEWS)[number]

export function readView({ view }: LocationQuery): View {
  return view === 'attack' ? 'attack' : 'd3fend'
}

/** The technique or attack whose cell is open, by its prefixed name. */
export function readOpen({ open }: LocationQuery): string | null {
  return typeof open === 'string' && open !== '' ? open : null
}
