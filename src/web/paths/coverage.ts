import type { AddressQuery } from './search.ts'

export const COVERAGE_PATHS = {
  coverage: '/coverage',
  ownList: '/coverage/list',
} as const

export const SOURCE_KINDS = ['stig', 'srg', 'component', 'project'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]
/** The examined set, and the set that it is compared with. */
export type Side = '' | 'against_'

/** A document in the address, by its number or its name in the API. */
export interface ChosenSource {
  readonly kind: SourceKind
  readonly name: string
}

export function readChosen(query: AddressQuery, side: Side): readonly ChosenSource[] {
  return SOURCE_KINDS.flatMap((kind) => {
    const values = [query[`${side}${kind}`]].flat().filter((value) => typeof value === 'string')
    const names = values.flatMap((value) => value.split(','))
    return [...new Set(names)].filter((name) => name !== '').map((name) => ({ kind, name }))
  })
}

const SINGLE = ['release', 'domain', 'relation'] as const

/** The parameters of the API: documents, the release of the ontology, the domain of attacks and the relations that count. */
export function coverageParameters(query: AddressQuery): Readonly<Record<string, string>> {
  const sides: readonly Side[] = ['', 'against_']
  const lists = sides.flatMap((side) =>
    SOURCE_KINDS.map((kind) => {
      const sources = readChosen(query, side).filter((source) => source.kind === kind)
      return [`${side}${kind}`, sources.map(({ name }) => name).join(',')] as const
    }),
  )
  const single = SINGLE.flatMap((name) => {
    const value = query[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return Object.fromEntries([...lists.filter(([, names]) => names !== ''), ...single])
}

/** Whether documents are chosen to measure, and not only to compare with. */
export function hasSources(parameters: Readonly<Record<string, string>>): boolean {
  return Object.keys(parameters).some(
    (name) => !SINGLE.some((single) => single === name) && !name.startsWith('against_'),
  )
}
