import type { z } from 'zod'
import { pick } from '../../../platform/records.ts'
import { DISCUSSION_FIELDS, namesOf } from '../../../tables/field-lists.ts'
import { nistControls } from '../benchmarks/nist-controls.ts'
import type { Release, ReleaseHead } from '../benchmarks/releases.ts'
import { LEGACY, type BenchmarkDetail } from '../benchmarks/shape.ts'
import { ccisIn } from '../linked-data/graph/project.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import { benchmarkAddress, changesAddress, fileAddress, releaseAddress, ruleAddress } from './addresses.ts'
import type {
  benchmarkListSchema,
  benchmarkSchema,
  filesSchema,
  releaseDetailSchema,
  releaseSchema,
  ruleSchema,
} from './schemas.ts'

export function shapeRelease(release: ReleaseHead): z.infer<typeof releaseSchema> {
  const { kind, title, version, digest } = release
  return {
    kind,
    benchmark_id: release.benchmarkId,
    title,
    version,
    date: release.releaseDate,
    rule_count: release.ruleCount,
    severity_counts: { ...release.severityCounts },
    digest,
    address: releaseAddress(release),
  }
}

type ListedBenchmark = z.infer<typeof benchmarkListSchema>['benchmarks'][number]

/** A product in the list. `releases` are its releases, the newest last. */
export function shapeListed(newest: Release, releases: readonly Release[]): ListedBenchmark {
  return {
    ...shapeRelease(newest),
    product: productOf(newest.title),
    release_count: releases.length,
    releases: benchmarkAddress(newest.line),
  }
}

/** All releases of a product. `releases` has the newest last. */
export function shapeBenchmark(newest: Release, releases: readonly Release[]): z.infer<typeof benchmarkSchema> {
  const ids = new Set(releases.map(({ benchmarkId }) => benchmarkId))
  ids.delete(newest.line)
  const shaped = releases.map((release, index) => {
    const before = releases[index - 1]
    const changes = before === undefined ? null : changesAddress(before, release, 'json')
    return { ...shapeRelease(release), files: filesOf(release), changes }
  })
  const { kind, line: benchmark_id, title } = newest
  return { kind, benchmark_id, title, product: productOf(title), former_ids: [...ids], releases: shaped.reverse() }
}

export function shapeWhole({
  release,
  newest,
  benchmark,
  warnings,
}: BenchmarkDetail): z.infer<typeof releaseDetailSchema> {
  const { description, status, statusDate, publisher, source, rules } = benchmark
  return {
    ...shapeRelease(release),
    description,
    status,
    status_date: statusDate,
    publisher,
    source,
    newest: shapeNewest(newest),
    files: filesOf(release),
    warnings: [...warnings],
    rules: rules.map((rule) => shapeRule(release, rule)),
  }
}

export function shapeNewest(newest: Release): { version: string; address: string } {
  return { version: newest.version, address: releaseAddress(newest) }
}

export function shapeRule(release: Release, rule: Rule): z.infer<typeof ruleSchema> {
  const { ruleId, version, title, severity, weight, status, discussion } = rule
  return {
    rule_id: ruleId,
    group_id: rule.groupId,
    version,
    requirement: requirementOf(release, rule),
    title,
    severity,
    weight,
    status,
    ...pick(discussion, namesOf(DISCUSSION_FIELDS)),
    ...shapeParts(rule),
    ccis: ccisOf(rule),
    nist_controls: controlsOf(rule),
    legacy_ids: legacyIdsOf(rule),
    address: ruleAddress(release, ruleId),
  }
}

/** Returns the requirement that a rule of a STIG meets; a rule of an SRG is the requirement. */
export function requirementOf(
  { kind }: Pick<Release, 'kind'>,
  { groupTitle, version }: Pick<Rule, 'groupTitle' | 'version'>,
): string | null {
  return kind === 'stig' ? groupTitle : version
}

type RuleParts = Pick<z.infer<typeof ruleSchema>, 'checks' | 'fixes' | 'idents' | 'references'>

/** Shapes the repeated parts of a rule, without the numbers of their records. */
function shapeParts({ checks, fixes, idents, references }: Rule): RuleParts {
  return {
    checks: checks.map(({ system, contentRefName, contentRefHref, content }) => {
      return { system, content_ref_name: contentRefName, content_ref_href: contentRefHref, content }
    }),
    fixes: fixes.map(({ fixId, fixref, text }) => ({ fix_id: fixId, fixref, text })),
    idents: idents.map(({ system, value }) => ({ system, value })),
    references: references.map((reference) => ({ ...reference })),
  }
}

/** The CCIs that a rule cites, each once, in document order. */
export function ccisOf({ idents }: Pick<Rule, 'idents'>): string[] {
  return [...new Set(idents.flatMap(({ value }) => ccisIn(value)))]
}

/** In document order. */
export function legacyIdsOf({ idents }: Pick<Rule, 'idents'>): string[] {
  return idents.filter(({ system }) => system === LEGACY).map(({ value }) => value)
}

function controlsOf(rule: Rule): string[] {
  const controlsByCci = nistControls()
  return [...new Set(ccisOf(rule).flatMap((cci) => controlsByCci.get(cci) ?? []))]
}

export function filesOf(release: Release): z.infer<typeof filesSchema> {
  return {
    xccdf: fileAddress(release, 'xml'),
    csv: fileAddress(release, 'csv'),
    ckl: fileAddress(release, 'ckl'),
    cklb: fileAddress(release, 'cklb'),
  }
}

const KIND_NAME =
  /\s*\(?\b(?:Security Technical Implementation Guides?|Security Requirements Guides?|STIG|SRG)\b\)?\s*/gi

/** `Red Hat Enterprise Linux 9 Security Technical Implementation Guide` → `Red Hat Enterprise Linux 9`. */
function productOf(title: string): string {
  const product = title.replaceAll(KIND_NAME, ' ').trim()
  return product === '' ? title : product
}
