import { z } from 'zod'
import { Pauses } from '../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../platform/errors.ts'
import { pick, recordOf } from '../../../platform/records.ts'
import { DISCUSSION_FIELDS, DISCUSSION_FLAGS, DISCUSSION_TEXTS, namesOf } from '../../../tables/field-lists.ts'
import {
  CATALOGUE_FIELDS,
  changesBetween,
  compareRules,
  type RuleChange,
} from '../../catalogue/benchmark-diff/compare.ts'
import { comparedRule, countsOf, nameRule as namePublished } from '../../catalogue/benchmark-diff/rule-name.ts'
import { findBenchmark } from '../../catalogue/benchmarks/reader.ts'
import { compareVersions, listReleases, numbersOf, type Release } from '../../catalogue/benchmarks/releases.ts'
import { LEGACY } from '../../catalogue/benchmarks/shape.ts'
import type { Rule } from '../../catalogue/xccdf/benchmark.ts'
import { flagOf } from '../../database/flags.ts'
import type { Reader } from '../../database/transaction.ts'
import { findAllRules } from '../components/portions.ts'
import { requireRecord } from '../components/reader.ts'
import { publishedSource, type PublishedSource } from '../components/schemas.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { comparison, nameRule } from './differences.ts'

const release = z.object({ id: z.int(), stig_id: z.string(), title: z.string(), version: z.string() })

/** Has the form of other comparisons; `before` is the published rule, and `after` the component's. */
export const publishedComparison = comparison.extend({
  source: publishedSource.meta({ description: 'The release that the component was begun from' }),
  releases: z
    .array(release.extend({ is_source: z.boolean(), is_newer: z.boolean() }))
    .meta({ description: 'The releases of the STIG in the catalogue, oldest first' }),
  from: release,
  rules: z.array(
    comparison.shape.rules.element.extend({
      matched_by: z.literal('rule_id').nullable(),
      source_rule_id: z.string().nullable().meta({ description: 'The published rule that the rule was begun from' }),
      published: comparedRule
        .pick({ status: true, changes: true })
        .nullable()
        .meta({ description: 'What changed in the published rule since the source; null in the source itself' }),
    }),
  ),
})

type PublishedComparison = z.infer<typeof publishedComparison>
type ComparedRule = PublishedComparison['rules'][number]

/** Authors can change these fields. Ids belong to the publisher. */
const COMPARED_FIELDS = pick(CATALOGUE_FIELDS, [
  'title',
  'rule_severity',
  'rule_weight',
  'ident',
  ...namesOf(DISCUSSION_FIELDS),
  'check_content',
  'fixtext',
])

interface ComparedRelease {
  readonly componentId: number
  /** The number of a release of the STIG; undefined means the release from which the component was made. */
  readonly from: number | undefined
}

/**
 * Compares a component with the published STIG from which it was made, or with another release of that STIG. Lists the
 * rules of the component in their order, then the published rules that it lacks. 404 for components made in another
 * way, and for releases that are not in the catalogue.
 */
export async function compareWithPublished(
  reader: Reader,
  { componentId, from }: ComparedRelease,
): Promise<PublishedComparison> {
  const {
    id,
    name,
    prefix,
    version,
    release: number,
    released,
    published_source,
  } = await requireRecord(reader, componentId)
  if (published_source === null) throw new Refusal('not_found', 'This component was not begun from a published STIG.')
  const line = await findLine(reader, published_source)
  const source = line.find(({ is_source }) => is_source)
  const chosen = line.find((release) => release.id === (from ?? source?.id))
  if (chosen === undefined) throw new Refusal('not_found', missingSource(published_source, from))
  const authoredRules = await findAllRules(reader, componentId)
  const { rules: published } = await findBenchmark(reader, chosen.id, 'stig')
  const rulesOf = async (benchmark: number): Promise<typeof published> =>
    benchmark === chosen.id ? published : (await findBenchmark(reader, benchmark, 'stig')).rules
  const rules = await compareOwn(authoredRules, {
    published,
    source: source === undefined ? null : await rulesOf(source.id),
    isSource: chosen.is_source,
  })
  const { stig_id, title } = chosen
  return {
    source: published_source,
    releases: [...line],
    from: { id: chosen.id, stig_id, title, version: chosen.version },
    to: { id, name, prefix, version, release: number, released },
    counts: countsOf(rules),
    rules,
  }
}

function missingSource({ stig_id, version }: PublishedSource, from: number | undefined): string {
  return from === undefined
    ? `The catalogue no longer has ${stig_id} ${version}. Import it again, or name another release with "from".`
    : `The catalogue has no release ${from} of ${stig_id}.`
}

type LineRelease = PublishedComparison['releases'][number]

/** The releases of the STIG in the catalogue, including those before or after it was renamed. */
async function findLine(reader: Reader, source: PublishedSource): Promise<readonly LineRelease[]> {
  const releases = (await listReleases(reader)).filter(({ kind }) => kind === 'stig')
  const line = releases.find(({ benchmarkId }) => benchmarkId === source.stig_id)?.line ?? source.stig_id
  const numbers = numbersOf(source.version)
  return releases
    .filter((release) => release.line === line)
    .map(({ id, benchmarkId: stig_id, title, version }: Release) => ({
      id,
      stig_id,
      title,
      version,
      is_source: stig_id === source.stig_id && version === source.version,
      is_newer: compareVersions(numbersOf(version), numbers) > 0,
    }))
}

interface PublishedRules {
  readonly published: readonly CatalogueRule[]
  /** The rules of the source; null if the catalogue no longer has it. */
  readonly source: readonly CatalogueRule[] | null
  readonly isSource: boolean
}

type CatalogueRule = Rule & { readonly id: number }

async function compareOwn(
  authoredRules: readonly AuthoredRule[],
  { published, source, isSource }: PublishedRules,
): Promise<ComparedRule[]> {
  const publishedForms = new Map(authoredRules.map((rule) => [rule, publishedForm(rule)]))
  const ownForms = authoredRules.flatMap((rule) =>
    rule.source_rule_id === null ? [] : (publishedForms.get(rule) ?? []),
  )
  const upstream = await compareRules(source ?? ownForms, published)
  const bySource = new Map(
    upstream.flatMap((change) => (change.before === null ? [] : [[change.before.ruleId, change]])),
  )
  const ids = new Map<Rule, number>(published.map((rule) => [rule, rule.id]))
  const matchedChanges = new Set<RuleChange>()
  const pauses = new Pauses()
  const rules: ComparedRule[] = []
  for (const rule of authoredRules) {
    const change = bySource.get(rule.source_rule_id ?? '')
    if (change !== undefined) matchedChanges.add(change)
    rules.push(compareRule(rule, { change, ids, isSource }))
    await pauses.rest()
  }
  const missing = upstream.filter((change) => change.after !== null && !matchedChanges.has(change))
  return [...rules, ...missing.map((change) => missingRule(change, { ids, isSource }))]
}

interface ComparisonContext {
  readonly ids: ReadonlyMap<Rule, number>
  readonly isSource: boolean
}

function compareRule(
  rule: AuthoredRule,
  { change, ids, isSource }: ComparisonContext & { readonly change: RuleChange | undefined },
): ComparedRule {
  const before = change?.after ?? null
  const changes = before === null ? [] : changesBetween(COMPARED_FIELDS, { before, after: publishedForm(rule) })
  return {
    status: before === null ? 'added' : changes.length === 0 ? 'unchanged' : 'changed',
    matched_by: before === null ? null : 'rule_id',
    source_rule_id: rule.source_rule_id,
    before: namePublished(before, ids),
    after: nameRule(rule),
    changes,
    published: change === undefined ? null : publishedChange(change, isSource),
  }
}

/** A published rule that the component does not have. */
function missingRule(change: RuleChange, { ids, isSource }: ComparisonContext): ComparedRule {
  const before = namePublished(change.after, ids)
  const published = publishedChange(change, isSource)
  return { status: 'removed', matched_by: null, source_rule_id: null, before, after: null, changes: [], published }
}

function publishedChange({ status, changes }: RuleChange, isSource: boolean): ComparedRule['published'] {
  return isSource ? null : { status, changes: changes.map((change) => ({ ...change })) }
}

/** Shapes a rule of a component like a published one. */
function publishedForm(rule: AuthoredRule): Rule {
  const { title, rule_severity: severity, rule_weight: weight, vuln_id: groupId, version, ident, checks } = rule
  return {
    title,
    severity,
    weight,
    groupId,
    ruleId: rule.source_rule_id ?? '',
    groupTitle: version,
    version: null,
    status: null,
    discussion: {
      ...pick(rule, DISCUSSION_TEXTS),
      ...recordOf(DISCUSSION_FLAGS, (name) => flagOf(rule[name])),
    },
    checks: checks.map(({ system, content, content_ref_name, content_ref_href }) => {
      return { system, content, contentRefName: content_ref_name, contentRefHref: content_ref_href }
    }),
    fixes: [{ fixref: rule.fixtext_fixref, fixId: rule.fix_id, text: rule.fixtext }],
    idents: [
      ...splitValues(ident).map((value) => ({ system: rule.ident_system ?? '', value })),
      ...splitValues(rule.legacy_ids).map((value) => ({ system: LEGACY, value })),
    ],
    references: [],
  }
}

function splitValues(values: string | null): readonly string[] {
  return values?.match(/[^\s,;]+/g) ?? []
}
