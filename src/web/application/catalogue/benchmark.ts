import type { components } from '#api-types'

type Stig = components['schemas']['GetStigAnswer']
type Srg = components['schemas']['GetSrgAnswer']

export type Kind = 'stig' | 'srg'

/** A rule of a STIG, or a requirement of an SRG, which names no other. */
export type Rule = Srg['srg_rules'][number] & { readonly srg_id?: string | null }
export type Counts = Srg['severity_counts']

export interface Benchmark {
  readonly kind: Kind
  readonly id: number
  /** The publisher's id for all releases of the benchmark. */
  readonly benchmarkId: string
  readonly title: string
  readonly version: string
  readonly date: string | null
  readonly counts: Counts
  readonly newest: { readonly id: number; readonly version: string }
  readonly rules: readonly Rule[]
}

export function shapeStig(stig: Stig): Benchmark {
  const { id, title, version, severity_counts: counts, stig_rules: rules } = stig
  const { stig_id: benchmarkId, benchmark_date: date } = stig
  const newest = { id: stig.latest_available_id, version: stig.latest_available_version }
  return { kind: 'stig', id, benchmarkId, title, version, date, counts, newest, rules }
}

export function shapeSrg(srg: Srg): Benchmark {
  const { id, title, version, severity_counts: counts, srg_rules: rules } = srg
  const { srg_id: benchmarkId, release_date: date } = srg
  const newest = { id: srg.latest_available_id, version: srg.latest_available_version }
  return { kind: 'srg', id, benchmarkId, title, version, date, counts, newest, rules }
}

/** `SV-257777` of `SV-257777r925318_rule`: the same in all releases. */
function stableId({ rule_id }: Rule): string {
  return /^SV-\d+/.exec(rule_id)?.[0] ?? rule_id
}

/** The rule that somebody means by its id, with or without its revision, by its group or by its version. */
export function findRule(rules: readonly Rule[], name: string): Rule | null {
  const ways: readonly ((rule: Rule) => boolean)[] = [
    ({ rule_id }) => rule_id === name,
    (rule) => stableId(rule) === stableIdOf(name),
    ({ version, vuln_id }) => version === name || vuln_id === name,
  ]
  for (const way of ways) {
    const found = rules.find(way)
    if (found !== undefined) return found
  }
  return null
}

function stableIdOf(name: string): string {
  return /^SV-\d+/.exec(name)?.[0] ?? name
}

/** The CCIs that a rule cites. */
export function ccisOf({ idents }: Rule): readonly string[] {
  return [...new Set(idents.map(({ value }) => value).filter((value) => /^CCI-\d+$/.test(value)))]
}

/** The id of the requirement that a rule is for; in an SRG that is the version of the rule itself. */
export function requirementOf({ srg_id, version }: Rule): string | null {
  return srg_id === undefined ? version : srg_id
}

export const SEVERITIES = ['high', 'medium', 'low'] as const
