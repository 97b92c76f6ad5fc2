import type { DOMAIN_NAMES } from '../../paths/domains.ts'

/** The fields of the coverage answer that the pages read. The query checks that they match the API. */
export interface CoverageReport {
  readonly ontology: {
    readonly version: string
    readonly cci_count: number
    readonly domains: readonly AttackDomain[]
  }
  readonly meaning: string
  /** Releases that link CCIs, if this one links none. */
  readonly linking_releases: readonly string[]
  readonly sources: readonly Source[]
  readonly summary: {
    readonly rules: { readonly linked: number; readonly total: number }
    readonly defensive_techniques: Share
    readonly offensive_techniques: Share
  }
  readonly rules: readonly Rule[]
  readonly defensive_techniques: readonly CoveredTechnique[]
  readonly offensive_techniques: readonly CoveredAttack[]
  readonly tactics: {
    readonly defensive: readonly TacticSum[]
    readonly offensive: readonly TacticSum[]
  }
  readonly gaps: {
    readonly rules: readonly number[]
    readonly defensive_techniques: readonly Technique[]
    readonly offensive_techniques: readonly (Attack & { readonly techniques: readonly string[] })[]
  }
  readonly comparison: Comparison | null
}

export type AttackDomain = keyof typeof DOMAIN_NAMES

export interface LabelledRecord {
  readonly id: string
  readonly label: string
}

export interface Source {
  readonly kind: string
  /** The benchmark id, or the name of a component. */
  readonly name: string
  readonly title: string
  readonly version: string | null
}

interface Share {
  readonly covered: number
  readonly total: number
}

export interface Rule {
  readonly source: number
  readonly rule_id: string
  readonly title: string
  readonly severity: string | null
  readonly path: string
  readonly links: readonly {
    readonly technique: string
    readonly cci: string
    readonly relation: string
  }[]
}

interface Technique extends LabelledRecord {
  readonly d3fend_id: string | null
  readonly tactics: readonly LabelledRecord[]
}

interface Attack extends LabelledRecord {
  readonly attack_id: string | null
  readonly tactics: readonly LabelledRecord[]
}

interface CoveredTechnique extends Technique {
  readonly rules: readonly number[]
  readonly relations: Readonly<Record<string, number>>
}

export interface CoveredAttack extends Attack {
  readonly rules: readonly number[]
  readonly defenses: readonly {
    readonly technique: string
    readonly ways: readonly {
      readonly relation: string
      readonly artifact: LabelledRecord
      readonly attack_artifact: LabelledRecord
      readonly attack_relation: string
    }[]
  }[]
}

interface TacticSum extends LabelledRecord {
  readonly techniques: Share
  readonly rules: number
}

export interface Comparison {
  readonly against: readonly Source[]
  readonly defensive_techniques: Difference
  readonly offensive_techniques: Difference
}

interface Difference {
  readonly both: number
  readonly added: readonly ChangedCoverage[]
  readonly lost: readonly ChangedCoverage[]
}

interface ChangedCoverage extends LabelledRecord {
  readonly rules: readonly unknown[]
}
