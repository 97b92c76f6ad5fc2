import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { latestOf, listReleases } from '../../catalogue/benchmarks/releases.ts'
import { findRuleTexts } from '../../catalogue/benchmarks/rule-texts.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import { mayReadComponent } from '../../parts/readable.ts'
import { findRules, requireRule, type AuthoredRule } from '../rules/reader.ts'

/** The number of rules to list: of authored ones, and of published ones. */
const MAX_RULES = 200

const text = z.string().nullable()
const kind = z.enum(['component', 'stig'])

/** Rules of other documents for the same SRG requirement. */
export const relatedRules = z.object({
  rules: z.array(
    z.object({
      id: z.int(),
      kind: kind.meta({ description: 'Kind of the parent, because the numbers of both kinds overlap' }),
      parent_id: z.int(),
      displayed_name: z.string().meta({ description: 'CNTR-00-000012, or the STIG id' }),
      srg_id: text,
      title: z.string(),
      status: text.meta({ description: 'Null for published rules' }),
      rule_severity: z.string(),
      vuln_discussion: text,
      check_content: text,
      fixtext: text,
      vendor_comments: text,
    }),
  ),
  parents: z.array(
    z.object({
      id: z.int(),
      kind,
      name: z.string(),
      version: text.meta({ description: 'V1R2' }),
      project_name: text,
    }),
  ),
  truncated: z.boolean().meta({ description: `Whether there are more than ${MAX_RULES} of a kind` }),
})

export type RelatedRules = z.infer<typeof relatedRules>

type RelatedRule = RelatedRules['rules'][number]
type ParentDocument = RelatedRules['parents'][number]

interface RelatedPortion {
  readonly rules: readonly RelatedRule[]
  readonly parents: readonly ParentDocument[]
}

/**
 * Finds rules for the same SRG requirement: in other components that the caller may read, and in the latest releases of
 * published STIGs. 404 for a requirement of an SRG.
 */
export async function findRelatedRules(reader: Reader, caller: Caller, ruleId: number): Promise<RelatedRules> {
  const rule = await requireRule(reader, ruleId)
  if (rule.document_type !== 'stig') throw notFound()
  if (rule.version === null) return { rules: [], parents: [], truncated: false }
  const authored = await findAuthored(reader, caller, rule)
  const published = await findPublished(reader, rule.version)
  const truncated = [authored, published].some(({ rules }) => rules.length > MAX_RULES)
  return {
    rules: [...authored.rules.slice(0, MAX_RULES), ...published.rules.slice(0, MAX_RULES)],
    parents: [...authored.parents, ...published.parents],
    truncated,
  }
}

async function findAuthored(
  reader: Reader,
  caller: Caller,
  { version, component_id }: AuthoredRule,
): Promise<RelatedPortion> {
  const parents = await reader
    .selectFrom('components')
    .innerJoin('projects', 'projects.id', 'components.project_id')
    .select(['components.id', 'components.name', 'components.version', 'components.release'])
    .select('projects.name as project_name')
    .where('components.id', '<>', component_id)
    .where('components.document_type', '=', 'stig')
    .where(mayReadComponent(caller))
    .where('components.id', 'in', (is) =>
      is
        .selectFrom('rules')
        .select('rules.component_id')
        .where('rules.version', '=', version)
        .where('rules.deleted_at', 'is', null),
    )
    .orderBy('components.id')
    .limit(MAX_RULES + 1)
    .execute()
  const ids = parents.map(({ id }) => id)
  if (ids.length === 0) return { rules: [], parents: [] }
  const rules = await findRules(reader, (is) =>
    is.and([is('rules.version', '=', version), is('rules.component_id', 'in', ids)]),
  )
  return {
    rules: rules.map(shapeAuthored),
    parents: parents.map(({ version: major, release, ...parent }) => ({
      ...parent,
      kind: 'component' as const,
      version: major === null || release === null ? null : `V${major}R${release}`,
    })),
  }
}

function shapeAuthored(rule: AuthoredRule): RelatedRule {
  const { id, title, status, rule_severity, vuln_discussion, fixtext, vendor_comments } = rule
  return {
    id,
    title,
    status,
    rule_severity,
    vuln_discussion,
    fixtext,
    vendor_comments,
    kind: 'component',
    parent_id: rule.component_id,
    displayed_name: displayedName(rule.prefix, rule.number),
    srg_id: rule.version,
    check_content: joinTexts(rule.checks.map(({ content }) => content)),
  }
}

async function findPublished(reader: Reader, requirement: string): Promise<RelatedPortion> {
  const stigs = latestOf(await listReleases(reader)).filter((release) => release.kind === 'stig')
  if (stigs.length === 0) return { rules: [], parents: [] }
  const rows = await reader
    .selectFrom('benchmark_rules as rule')
    .select(['rule.id', 'rule.benchmark_id as parent_id', 'rule.version', 'rule.rule_id'])
    .select(['rule.title', 'rule.severity as rule_severity', 'rule.vuln_discussion'])
    .where('rule.group_title', '=', requirement)
    .where(
      'rule.benchmark_id',
      'in',
      stigs.map(({ id }) => id),
    )
    .orderBy('rule.id')
    .limit(MAX_RULES + 1)
    .execute()
  const texts = await findRuleTexts(
    reader,
    rows.map(({ id }) => id),
  )
  const used = new Set(rows.map(({ parent_id }) => parent_id))
  return {
    rules: rows.map(({ version, rule_id, ...row }) => ({
      ...row,
      kind: 'stig',
      status: null,
      vendor_comments: null,
      srg_id: requirement,
      displayed_name: version ?? rule_id,
      check_content: joinTexts(texts.checks.get(row.id) ?? []),
      fixtext: joinTexts(texts.fixes.get(row.id) ?? []),
    })),
    parents: stigs
      .filter(({ id }) => used.has(id))
      .map(({ id, name, version }) => ({ id, name, version, kind: 'stig', project_name: null })),
  }
}

function joinTexts(texts: readonly (string | null)[]): string | null {
  const present = texts.flatMap((text) => text ?? [])
  return present.length === 0 ? null : present.join('\n\n')
}
