import type { AttackDomain, LabelledRecord } from '../report.ts'

/** The fields of the answer about a list that the page reads. The query checks that they match the API. */
export interface ListReport {
  readonly ontology: { readonly version: string; readonly domains: readonly AttackDomain[] }
  readonly note: string | null
  readonly meaning: string
  readonly list: ListHead
  readonly summary: { readonly attacks: AttackSums; readonly techniques: TechniqueSums }
  readonly attacks: readonly ListedAttack[]
  readonly techniques: readonly ListedTechnique[]
  readonly guidance_scope: 'named' | 'newest'
  readonly guidance: readonly LinkedDocument[]
  readonly guidance_count: number
  readonly comparison: ListComparison | null
}

export interface ListHead {
  readonly items: number
  readonly left_out: number
  readonly unknown: readonly { readonly value: string; readonly place: string; readonly reason: string }[]
  readonly unknown_count: number
}

interface AttackSums {
  readonly listed: number
  readonly covered: number
  readonly not_covered: number
  readonly not_mapped: number
}

interface TechniqueSums {
  readonly listed: number
  readonly linked: number
  readonly not_linked: number
  readonly not_mapped: number
}

interface ListedRecord {
  readonly id: string
  readonly label: string
  readonly places: readonly string[]
  readonly deprecated: boolean
  readonly successors: readonly string[]
  readonly guidance_count: number
}

export interface ListedAttack extends ListedRecord {
  readonly attack_id: string | null
  readonly domain: AttackDomain | null
  readonly status: 'covered' | 'not_covered' | 'not_mapped'
  readonly countered_by: readonly string[]
  readonly defenses: readonly { readonly technique: string }[]
}

export interface ListedTechnique extends ListedRecord {
  readonly d3fend_id: string | null
  readonly status: 'linked' | 'not_linked' | 'not_mapped'
  readonly counters: number
  readonly counters_listed: readonly string[]
}

export interface LinkedDocument {
  readonly kind: 'srg' | 'stig' | 'component'
  readonly id: number
  readonly name: string
  readonly title: string
  readonly version: string | null
  readonly counted: boolean
  readonly rule_count: number
  readonly attacks: readonly string[]
  readonly techniques: readonly string[]
  readonly adds: { readonly attacks: readonly string[]; readonly techniques: readonly string[] }
}

export interface ListComparison {
  readonly against: ListHead
  readonly attacks: ListDifference
  readonly techniques: ListDifference
  readonly countered: ListDifference
}

interface ListDifference {
  readonly both: number
  readonly added: readonly LabelledRecord[]
  readonly lost: readonly LabelledRecord[]
}
