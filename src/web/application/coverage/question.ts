import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { SOURCE_KINDS, type ChosenSource, type Side } from '../../paths/coverage.ts'

/** The address with other documents on one side; the open cell stays open. */
export function withChosen(query: LocationQuery, side: Side, chosen: readonly ChosenSource[]): LocationQueryRaw {
  const lists = SOURCE_KINDS.map((kind) => {
    const names = chosen.filter((source) => source.kind === kind).map(({ name }) => name)
    return [`${side}${kind}`, names.length === 0 ? undefined : names] as const
  })
  return { ...query, ...Object.fromEntries(lists) }
}

export const VIEWS = ['d3fend', 'attack'] as const
export type View = (typeof VIEWS)[number]

export const MATRIX_NAMES: Readonly<Record<View, string>> = { d3fend: 'D3FEND', attack: 'ATT&CK' }

export function readView({ view }: LocationQuery): View {
  return view === 'attack' ? 'attack' : 'd3fend'
}

/** The technique or attack whose cell is open, by its prefixed name. */
export function readOpen({ open }: LocationQuery): string | null {
  return typeof open === 'string' && open !== '' ? open : null
}
