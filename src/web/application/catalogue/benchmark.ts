import type { components } from '#api-types'

type Release = components['schemas']['GetCatalogueStigAnswer']

export type Kind = 'stig' | 'srg'

/** A rule of a STIG, or a requirement of an SRG; `id` is its place in the list. */
export type Rule = Release['rules'][number] & { readonly id: number }
export type Counts = Release['severity_counts']

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
  /** Paths of the release and of its files. */
  readonly files: Readonly<Record<'json' | 'xccdf' | 'csv' | 'ckl' | 'cklb', string>>
  readonly rules: readonly Rule[]
}

export function shapeRelease(release: Release): Benchmark {
  const { kind, id, title, version, date, newest, files } = release
  return {
    kind,
    id,
    benchmarkId: release.benchmark_id,
    title,
    version,
    date,
    counts: release.severity_counts,
    newest,
    files: { ...files, json: release.address },
    rules: release.rules.toSorted(byVersion).map((rule, at) => ({ ...rule, id: at })),
  }
}

type PublishedRule = Release['rules'][number]

function byVersion(a: PublishedRule, b: PublishedRule): number {
  return compareTexts(a.version ?? '', b.version ?? '') || compareTexts(a.rule_id, b.rule_id)
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
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
    ({ version, group_id }) => version === name || group_id === name,
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

export const SEVERITIES = ['high', 'medium', 'low'] as const
