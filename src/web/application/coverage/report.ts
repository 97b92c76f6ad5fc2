import type { components } from '#api-types'
import type { DOMAIN_NAMES } from '../../paths/domains.ts'

export type CoverageReport = components['schemas']['GetCoverageAnswer']

/** The name of a component or the id of a benchmark. */
export type Source = Pick<CoverageReport['sources'][number], 'kind' | 'name' | 'title' | 'version'>

export type Rule = CoverageReport['rules'][number]

export type CoveredAttack = CoverageReport['offensive_techniques'][number]

export type AttackDomain = keyof typeof DOMAIN_NAMES

export interface LabelledRecord {
  readonly id: string
  readonly label: string
}
