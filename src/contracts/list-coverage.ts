import { z } from 'zod'
import { attackSchema, coverageReport, defenses, sourceHead, techniqueSchema, type CoverageSource } from './coverage.ts'
import type { AttackDomain } from './sources.ts'

/** A list of attacks and techniques: plain ids, an ATT&CK Navigator layer, a STIX bundle or a CSV. */
export interface ListContent {
  readonly form: 'list' | 'layer' | 'bundle' | 'csv'
  /** Parsed JSON, or the text of a CSV. */
  readonly content: unknown
  /** Prefix of paths in messages: `against.` for the second list of a request, else empty. */
  readonly place: string
}

/** A document with only the CCIs of its rules. */
export interface CitingSource extends Omit<CoverageSource, 'rules'> {
  readonly rules: readonly { readonly ccis: Iterable<string> }[]
}

/** Finds the newest releases of all benchmarks, with their rules that cite one of the CCIs. */
export type FindCitingSources = (ccis: ReadonlySet<string>) => Promise<readonly CitingSource[]>

export interface ListSelection {
  /** The version of the release of the ontology; null: the one that is active. */
  readonly release: string | null
  /** Domains whose attacks count; none: all. */
  readonly domains: readonly AttackDomain[]
  readonly list: ListContent
  readonly against: ListContent | null
  /** Guidance that counts; null: the newest releases of all benchmarks. */
  readonly named: readonly CoverageSource[] | null
  readonly findCitingSources: FindCitingSources
}

const listedItem = {
  places: z.array(z.string()).meta({ description: 'Its positions in the list: attacks[0], line 3' }),
  deprecated: z.boolean(),
  successors: z.array(z.string()).meta({ description: 'Ids that replace a deprecated one' }),
}

const unknownItem = z.object({
  value: z.string(),
  place: z.string(),
  reason: z.string(),
})

const listHead = z.object({
  form: z.enum(['list', 'layer', 'bundle', 'csv']),
  items: z.int().meta({ description: 'Number of entries that were read' }),
  left_out: z.int().meta({ description: 'Entries of a layer or bundle that are disabled, scored 0, or revoked' }),
  attacks: z.int(),
  techniques: z.int(),
  unknown: z.array(unknownItem).meta({ description: 'Entries that name no known record; the first 1,000' }),
  unknown_count: z.int(),
})

const ids = z.array(z.string())

const guidance = sourceHead.extend({
  counted: z.boolean().meta({ description: 'Whether it counts as guidance that is used' }),
  rule_count: z.int().meta({ description: 'Rules that are linked to the list' }),
  links: z.array(z.object({ technique: z.string(), cci: z.string(), relation: z.string(), rules: z.int() })),
  attacks: ids.meta({ description: 'Attacks of the list that it is linked to' }),
  techniques: ids.meta({ description: 'Techniques of the list that it is linked to' }),
  adds: z
    .object({ attacks: ids, techniques: ids })
    .meta({ description: 'Entries that neither the techniques of the list nor the named guidance cover' }),
})

const named = z.object({ id: z.string(), label: z.string() })
const difference = z.object({ both: z.int(), added: z.array(named), lost: z.array(named) })

export const listCoverage = z.object({
  ontology: coverageReport.shape.ontology,
  note: z.string().nullable(),
  meaning: z.string(),
  list: listHead,
  summary: z.object({
    attacks: z.object({
      listed: z.int(),
      covered: z.int(),
      covered_by_techniques: z.int(),
      covered_by_guidance: z.int(),
      not_covered: z.int(),
      not_mapped: z.int(),
    }),
    techniques: z.object({ listed: z.int(), linked: z.int(), not_linked: z.int(), not_mapped: z.int() }),
  }),
  attacks: z.array(
    attackSchema.extend({
      ...listedItem,
      status: z.enum(['covered', 'not_covered', 'not_mapped']).meta({
        description:
          'covered: by techniques of the list or guidance that counts; not_mapped: the release has no technique ' +
          'that counters it, so nobody can cover it',
      }),
      countered_by: ids.meta({ description: 'All techniques of the release that counter it' }),
      defenses: defenses.meta({ description: 'Techniques of the list that counter it, with the paths' }),
      guidance_count: z.int().meta({ description: 'Documents that count and are linked to it' }),
    }),
  ),
  techniques: z.array(
    techniqueSchema.extend({
      ...listedItem,
      status: z.enum(['linked', 'not_linked', 'not_mapped']).meta({
        description: 'not_mapped: the release links no CCI to it, so no rule can be linked to it',
      }),
      counters: z.int().meta({ description: 'Attacks of the release that it counters' }),
      counters_listed: ids.meta({ description: 'Attacks of the list that it counters' }),
      guidance_count: z.int(),
    }),
  ),
  guidance_scope: z.enum(['named', 'newest']).meta({
    description: 'newest: no guidance was named, and the newest releases of all benchmarks count',
  }),
  guidance: z.array(guidance).meta({ description: 'Documents by what they add; the first 100' }),
  guidance_count: z.int(),
  gaps: z.object({
    not_covered: ids,
    not_mapped: ids,
    techniques_not_linked: ids,
    techniques_not_mapped: ids,
  }),
  comparison: z
    .object({
      against: listHead,
      attacks: difference,
      techniques: difference,
      countered: difference.meta({ description: 'Attacks of the release that the techniques of the lists counter' }),
    })
    .nullable(),
})

export type ListCoverage = z.input<typeof listCoverage>

/** Reports how a caller's own list is covered. */
export interface ListCoverageReports {
  /** Rejects with `parameter_invalid` if no entry of a list is known, and with `no_release` if there is no release. */
  reportOnList(selection: ListSelection): Promise<ListCoverage>
}
