import { z } from 'zod'
import type { SourceNames } from '../contracts/coverage.ts'
import { CCI_RELATIONS } from '../contracts/relations.ts'
import { ATTACK_DOMAINS } from '../contracts/sources.ts'
import { listOf } from '../http/input.ts'
import { RULE_STATUSES } from '../tables/statuses.ts'

const LIMITS = { maxLength: 4000, maxItems: 100 }

const name = z.string().max(500)
const number = z.string().regex(/^[1-9]\d{0,9}$/, 'must be the number of a record')

const stig = listOf(name, LIMITS).meta({
  description: 'STIGs: a number, a benchmark id (its newest release), or RHEL_9_STIG/V2R7',
})
const srg = listOf(name, LIMITS).meta({ description: 'SRGs, named as STIGs are' })
const component = listOf(number, LIMITS).meta({
  description: 'Numbers of components that the caller may read',
})
const project = listOf(number, LIMITS).meta({
  description: 'Numbers of projects: all their components',
})

/** Statuses of rules with a check or a fix; the others require nothing or are not decided. */
export const USUAL_STATUSES = ['Applicable - Configurable', 'Applicable - Inherently Meets'] as const

export const coverageQuery = z.object({
  stig,
  srg,
  component,
  project,
  release: z.string().max(200).optional().meta({
    description: 'The release of the ontology that answers; by default the one that is active',
  }),
  domain: listOf(z.enum(ATTACK_DOMAINS), LIMITS).meta({
    description: 'Domains whose attacks count; by default all. A Navigator layer has one: enterprise-attack by default',
  }),
  relation: listOf(z.enum(CCI_RELATIONS), LIMITS).meta({
    description: 'Relations of a CCI to a technique that count; by default all',
  }),
  /** Statuses contain no commas. */
  status: listOf(z.enum(RULE_STATUSES), { ...LIMITS, default: USUAL_STATUSES.join(',') }).meta({
    description: 'Statuses of authored rules that count',
  }),
  against_stig: stig,
  against_srg: srg,
  against_component: component,
  against_project: project,
})

export const coverageLists = Object.keys(coverageQuery.shape).filter((name) => name !== 'release')

export type CoverageQuery = z.output<typeof coverageQuery>

/** The documents of one side; null if none are named. */
export function namesIn(query: CoverageQuery, side: '' | 'against_'): SourceNames | null {
  const names = {
    stig: query[`${side}stig`],
    srg: query[`${side}srg`],
    component: query[`${side}component`].map(Number),
    project: query[`${side}project`].map(Number),
  }
  if (Object.values(names).every((list) => list.length === 0)) return null
  return { ...names, status: query.status }
}
