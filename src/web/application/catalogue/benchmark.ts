import type { components } from '#api-types'
import { compareTexts } from '../parts/words/compare-texts.ts'
import type { ReleaseName } from './release-paths.ts'

type RuleList = components['schemas']['ListCatalogueRulesAnswer']

export type Kind = 'stig' | 'srg'
export type Counts = RuleList['severity_counts']

/** The names of a rule of a STIG, or of a requirement of an SRG; `id` is its index in the list. */
export type ListedRule = RuleList['rules'][number] & { readonly id: number }

/** A rule with all its texts. */
export type Rule = components['schemas']['GetCatalogueRuleAnswer']['rule']

/** A rule with the definitions of its CCIs, and its links. */
export type RuleDetail = components['schemas']['GetCatalogueRuleAnswer']

/** A release with the names of its rules. */
export interface Benchmark extends ReleaseName {
  readonly kind: Kind
  readonly title: string
  readonly date: string | null
  readonly counts: Counts
  /** The version of the newest release of the product. */
  readonly newest: string
  /** Paths of the release and of its files. */
  readonly files: Readonly<Record<'json' | 'xccdf' | 'csv' | 'ckl' | 'cklb', string>>
  readonly rules: readonly ListedRule[]
}

export function shapeRuleList(release: RuleList): Benchmark {
  const { kind, title, version, date, newest, files } = release
  return {
    kind,
    benchmarkId: release.benchmark_id,
    title,
    version,
    date,
    counts: release.severity_counts,
    newest: newest.version,
    files: { ...files, json: release.address },
    rules: release.rules.toSorted(byVersion).map((rule, index) => ({ ...rule, id: index })),
  }
}

type RuleName = Pick<ListedRule, 'rule_id' | 'group_id' | 'version'>

function byVersion(a: RuleName, b: RuleName): number {
  return compareTexts(a.version ?? '', b.version ?? '') || compareTexts(a.rule_id, b.rule_id)
}

/** `SV-257777` of `SV-257777r925318_rule`: the same in all releases. */
function stableIdOf(name: string): string {
  return /^SV-\d+/.exec(name)?.[0] ?? name
}

/** Finds a rule by its id, with or without its revision, by its group or by its version. */
export function findRule<Named extends RuleName>(rules: readonly Named[], name: string): Named | null {
  const matchers: readonly ((rule: Named) => boolean)[] = [
    ({ rule_id }) => rule_id === name,
    ({ rule_id }) => stableIdOf(rule_id) === stableIdOf(name),
    ({ version, group_id }) => version === name || group_id === name,
  ]
  for (const matches of matchers) {
    const rule = rules.find(matches)
    if (rule !== undefined) return rule
  }
  return null
}
