import type { z } from 'zod'
import { compareCodeUnits } from '../../../graph/term.ts'
import { pick, recordOf } from '../../../platform/records.ts'
import { ADDED_FIELDS, DISCUSSION_FIELDS, namesOf } from '../../../tables/field-lists.ts'
import type { ReadWarning } from '../xccdf/benchmark.ts'
import { nistControlsOf } from './nist-controls.ts'
import type { StoredBenchmark, StoredRule } from './reader.ts'
import { lineKey, type Release } from './releases.ts'
import type { srgDetail, srgRow, srgRule, stigDetail, stigRow, stigRule } from './schemas.ts'

export const LEGACY = 'http://cyber.mil/legacy'

export interface BenchmarkRelease {
  readonly release: Release
  readonly newest: Release
}

/** A release with all its rules. */
export interface BenchmarkDetail extends BenchmarkRelease {
  readonly benchmark: StoredBenchmark
  readonly warnings: readonly ReadWarning[]
}

/** Adds to each release the newest of its line. */
export function shapeReleases(releases: readonly Release[]): readonly BenchmarkRelease[] {
  const newest = new Map(releases.map((release) => [lineKey(release), release]))
  return releases.map((release) => ({ release, newest: newest.get(lineKey(release)) ?? release }))
}

export function srgRowOf({ release, newest }: BenchmarkRelease): z.infer<typeof srgRow> {
  const { benchmarkId: srg_id, releaseDate: release_date, core } = release
  return { ...commonOf({ release, newest }), srg_id, release_date, core }
}

export function stigRowOf({ release, newest }: BenchmarkRelease): z.infer<typeof stigRow> {
  const { benchmarkId: stig_id, releaseDate: benchmark_date } = release
  return { ...commonOf({ release, newest }), stig_id, benchmark_date }
}

function commonOf({ release, newest }: BenchmarkRelease): Omit<z.infer<typeof stigRow>, 'stig_id' | 'benchmark_date'> {
  const { id, name, title, version, severityCounts } = release
  return {
    id,
    name,
    title,
    version,
    severity_counts: { ...severityCounts },
    is_latest: newest.id === id,
    latest_available_version: newest.version,
    latest_available_id: newest.id,
  }
}

export function srgDetailOf({ benchmark, warnings, ...releaseState }: BenchmarkDetail): z.infer<typeof srgDetail> {
  const srg_rules = inOrder(benchmark.rules).map(srgRuleOf)
  return { ...srgRowOf(releaseState), warnings: [...warnings], srg_rules }
}

export function stigDetailOf({ benchmark, warnings, ...releaseState }: BenchmarkDetail): z.infer<typeof stigDetail> {
  const { description } = benchmark
  const stig_rules = inOrder(benchmark.rules).map(stigRuleOf)
  return { ...stigRowOf(releaseState), description, warnings: [...warnings], stig_rules }
}

/** Sorted by version, rule id and record id. */
export function inOrder(rules: readonly StoredRule[]): readonly StoredRule[] {
  return rules.toSorted(
    (a, b) => compareCodeUnits(a.version ?? '', b.version ?? '') || compareCodeUnits(a.ruleId, b.ruleId) || a.id - b.id,
  )
}

function stigRuleOf(rule: StoredRule): z.infer<typeof stigRule> {
  return { ...srgRuleOf(rule), srg_id: rule.groupTitle, vendor_comments: null }
}

function srgRuleOf(rule: StoredRule): z.infer<typeof srgRule> {
  const { id, title, version, status, idents, references } = rule
  const fix = rule.fixes.find(({ text }) => text !== null) ?? rule.fixes[0]
  return {
    id,
    title,
    version,
    status,
    rule_id: rule.ruleId,
    rule_severity: rule.severity,
    rule_weight: rule.weight,
    ident: identOf(rule),
    ident_system: idents.find(({ system }) => system !== LEGACY)?.system ?? null,
    legacy_ids: legacyIdsOf(rule),
    nist_control_family: nistControlsOf(rule),
    vuln_id: rule.groupId,
    fixtext: fix?.text ?? null,
    fixtext_fixref: fix?.fixref ?? null,
    fix_id: fix?.fixId ?? null,
    idents: idents.map((ident) => ({ ...ident })),
    references: references.map((reference) => ({ ...reference })),
    disa_rule_descriptions_attributes: [descriptionOf(rule)],
    checks_attributes: rule.checks.map((check) => ({
      id: check.id,
      system: check.system,
      content_ref_name: check.contentRefName,
      content_ref_href: check.contentRefHref,
      content: check.content,
      _destroy: false,
    })),
  }
}

type Description = z.infer<typeof srgRule>['disa_rule_descriptions_attributes'][number]

const DISCUSSION = namesOf(DISCUSSION_FIELDS)
const NOT_ADDED = recordOf(namesOf(ADDED_FIELDS), () => null)

/** A rule has exactly one description, stored in the record of the rule. */
function descriptionOf({ id, discussion }: StoredRule): Description {
  return { id, ...pick(discussion, DISCUSSION), ...NOT_ADDED, _destroy: false }
}

/** Without legacy ids, sorted: `CCI-000015, CCI-000366`; null if there are none. */
export function identOf({ idents }: Pick<StoredRule, 'idents'>): string | null {
  const values = idents.filter(({ system }) => system !== LEGACY).map(({ value }) => value)
  return joinValues(values.sort(compareCodeUnits))
}

/** In document order: `V-56571, SV-70831`; null if there are none. */
export function legacyIdsOf({ idents }: Pick<StoredRule, 'idents'>): string | null {
  return joinValues(idents.filter(({ system }) => system === LEGACY).map(({ value }) => value))
}

function joinValues(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.join(', ')
}
