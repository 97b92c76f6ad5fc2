import { z } from 'zod'
import type { RuleStatus } from '../tables/statuses.ts'
import { ATTACK_DOMAINS, type AttackDomain } from './sources.ts'

/** A document whose rules are measured: a release of a benchmark, or a component. */
export interface CoverageSource {
  readonly kind: 'srg' | 'stig' | 'component'
  readonly id: number
  /** The benchmark id, or the name of a component. */
  readonly name: string
  readonly title: string
  /** `V2R7`; null for a component without a version. */
  readonly version: string | null
  /** Path of its JSON document. */
  readonly path: string
  readonly rules: readonly CoverageRule[]
}

export interface CoverageRule {
  readonly ruleId: string
  readonly title: string
  readonly severity: string | null
  /** Status of an authored rule; null for catalogue rules. */
  readonly status: string | null
  /** Path of its JSON document. */
  readonly path: string
  readonly ccis: readonly string[]
}

/** Names of the documents to measure; see `docs/coverage.md`. */
export interface SourceNames {
  readonly stig: readonly string[]
  readonly srg: readonly string[]
  readonly component: readonly number[]
  readonly project: readonly number[]
  /** Authored rules count if they have one of these statuses. */
  readonly status: readonly RuleStatus[]
}

/**
 * Reads the named documents with their rules, each once and in the order of the names. A document that the caller may not
 * read is refused as if it did not exist.
 */
export type FindSources<Caller> = (caller: Caller, names: SourceNames) => Promise<readonly CoverageSource[]>

/** The documents to measure, and those to compare them with; null: no comparison. */
export interface CoverageSelection {
  /** The version of the release of the ontology; null: the one that is active. */
  readonly release: string | null
  readonly sources: readonly CoverageSource[]
  readonly against: readonly CoverageSource[] | null
  /** Domains whose attacks count; none: all. */
  readonly domains: readonly AttackDomain[]
  /** Relations of a CCI to a technique that count; none: all. */
  readonly relations: readonly string[]
}

/** Measures which techniques and attacks rules apply to. All methods reject with `no_release` if there is no release. */
export interface Coverage {
  report(selection: CoverageSelection): Promise<CoverageReport>
  /** One row for each way from a rule to an attack, the head of the table first. */
  table(selection: CoverageSelection): Promise<AsyncIterable<readonly (readonly string[])[]>>
  /** A layer of MITRE ATT&CK Navigator, format 4.5. It has one domain. */
  attackLayer(selection: CoverageSelection, domain: AttackDomain): Promise<CoverageLayer>
  /** A layer for the techniques of the ontology's own matrix. */
  defenseLayer(selection: CoverageSelection): Promise<CoverageLayer>
}

const tactic = z.object({ id: z.string().meta({ description: 'd3f:Harden' }), label: z.string() })

export const techniqueSchema = z.object({
  iri: z.string(),
  id: z.string().meta({ description: 'Prefixed name, such as d3f:AccountLocking' }),
  d3fend_id: z.string().nullable(),
  label: z.string(),
  tactics: z.array(tactic),
})

const domain = z.enum(ATTACK_DOMAINS)

export const attackSchema = z.object({
  iri: z.string(),
  id: z.string().meta({ description: 'Prefixed name, such as d3f:T1110' }),
  attack_id: z.string().nullable(),
  domain: domain.nullable(),
  label: z.string(),
  tactics: z.array(tactic),
})

const ruleIndexes = z.array(z.int()).meta({ description: 'Indexes in the list of rules, from 0' })

const subject = z.object({
  id: z.string(),
  label: z.string(),
  is: z
    .enum(['itself', 'above', 'below'])
    .meta({ description: 'Its place in the class hierarchy, relative to the record that it stands for' }),
})

const counterPath = z.object({
  by: subject.meta({ description: 'Subject of the stated relation: the technique or a relative' }),
  relation: z.string(),
  artifact: z.object({ id: z.string(), label: z.string() }),
  attack_artifact: subject,
  attack_relation: z.string(),
})

export const defenses = z.array(z.object({ technique: z.string(), ways: z.array(counterPath) }))

const link = z.object({
  technique: z.string(),
  cci: z.string(),
  relation: z.string().meta({ description: 'exactly, broader, narrower, related …' }),
})

const rule = z.object({
  source: z.int().meta({ description: 'Index in the list of sources, from 0' }),
  rule_id: z.string(),
  title: z.string(),
  severity: z.string().nullable(),
  status: z.string().nullable(),
  path: z.string(),
  ccis: z.array(z.string()),
  links: z.array(link),
})

export const sourceHead = z.object({
  kind: z.enum(['srg', 'stig', 'component']),
  id: z.int(),
  name: z.string(),
  title: z.string(),
  version: z.string().nullable(),
  path: z.string(),
})

const source = sourceHead.extend({
  rule_count: z.int(),
  linked_rule_count: z.int(),
})

const share = z.object({ covered: z.int(), total: z.int() })

const summary = z.object({
  rules: z.object({ linked: z.int(), total: z.int() }),
  defensive_techniques: share,
  offensive_techniques: share,
})

const tacticSum = tactic.extend({ techniques: share, rules: z.int() })
const offensiveTacticSum = tacticSum.extend({ domain: domain.nullable() })

const changed = z.object({
  id: z.string(),
  label: z.string(),
  rules: z.array(z.object({ source: z.string(), rule_id: z.string() })),
})

const difference = z.object({
  both: z.int(),
  added: z.array(changed).meta({ description: 'Covered only by the sources' }),
  lost: z.array(changed).meta({ description: 'Covered only by the documents that they are compared with' }),
})

export const coverageReport = z.object({
  ontology: z.object({
    version: z.string(),
    digest: z.string(),
    cci_count: z.int().meta({ description: 'CCIs that the release links to a technique' }),
    domains: z.array(domain).meta({ description: 'Domains of the attacks that the release has' }),
  }),
  note: z
    .string()
    .nullable()
    .meta({ description: 'If the release links no CCI: a sentence that names releases that do' }),
  linking_releases: z.array(z.string()).meta({
    description: 'If the release links no CCI: the releases that do, among the newest ten others',
  }),
  meaning: z.string(),
  sources: z.array(source),
  summary,
  rules: z.array(rule),
  defensive_techniques: z.array(
    techniqueSchema.extend({
      rules: ruleIndexes,
      relations: z.record(z.string(), z.int()).meta({ description: 'Links by relation' }),
      counters: z.int().meta({ description: 'Offensive techniques that it counters' }),
    }),
  ),
  offensive_techniques: z.array(
    attackSchema.extend({
      rules: ruleIndexes,
      defenses,
    }),
  ),
  tactics: z.object({ defensive: z.array(tacticSum), offensive: z.array(offensiveTacticSum) }),
  gaps: z.object({
    rules: ruleIndexes,
    ccis: z.array(z.string()).meta({ description: 'CCIs that are cited and linked to no technique' }),
    defensive_techniques: z.array(techniqueSchema),
    offensive_techniques: z.array(
      attackSchema.extend({
        techniques: z.array(z.string()).meta({ description: 'Techniques that would counter it' }),
      }),
    ),
  }),
  comparison: z
    .object({
      against: z.array(source),
      summary,
      defensive_techniques: difference,
      offensive_techniques: difference,
    })
    .nullable(),
})

export type CoverageReport = z.input<typeof coverageReport>

const metadata = z.array(z.object({ name: z.string(), value: z.string() }))

export const coverageLayer = z.object({
  name: z.string(),
  versions: z.object({ navigator: z.string(), layer: z.string() }),
  domain: z.string(),
  description: z.string(),
  sorting: z.int(),
  layout: z.object({
    layout: z.string(),
    showID: z.boolean(),
    showName: z.boolean(),
    expandedSubtechniques: z.string(),
  }),
  hideDisabled: z.boolean(),
  techniques: z.array(
    z.object({
      techniqueID: z.string(),
      score: z.int(),
      comment: z.string(),
      enabled: z.boolean(),
      showSubtechniques: z.boolean(),
      metadata,
    }),
  ),
  gradient: z.object({ colors: z.array(z.string()), minValue: z.int(), maxValue: z.int() }),
  metadata,
})

export type CoverageLayer = z.input<typeof coverageLayer>
