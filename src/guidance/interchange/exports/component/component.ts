import type { ExpressionBuilder, Selectable } from 'kysely'
import { notFound } from '../../../../http/input.ts'
import { append } from '../../../../platform/append.ts'
import { joinChecks } from '../../../authoring/rules/join-checks.ts'
import { findRules, ofComponent, type AuthoredRule } from '../../../authoring/rules/reader.ts'
import type { AdditionalQuestionsTable, ComponentsTable } from '../../../database/schema/components.ts'
import type { Schema } from '../../../database/schema/schema.ts'
import type { Reader } from '../../../database/transaction.ts'

/** The catalogue requirement from which a rule was made. */
export interface SourceRequirement {
  readonly title: string
  /** The id of the core requirement from which it was made. */
  readonly groupTitle: string | null
  readonly discussion: string | null
  readonly check: string | null
  readonly fix: string | null
}

export interface ExportedRule extends AuthoredRule {
  /** Null if it was made from no requirement, or if its SRG was removed. */
  readonly source: SourceRequirement | null
  /** The check of the first rule that satisfies this one. */
  readonly satisfierCheck: string | null
}

/** The data for all exports of a component, without comments. */
export interface ExportedComponent {
  readonly component: Selectable<ComponentsTable>
  /** The primary SRG. */
  readonly srg: {
    readonly benchmark_id: string
    readonly title: string
    readonly version: string
  }
  readonly questions: readonly Selectable<AdditionalQuestionsTable>[]
  /** Live rules, sorted by version, number and id. */
  readonly rules: readonly ExportedRule[]
}

/** Finds a component for export, with 14 queries, however many rules it has. 404 if it does not exist. */
export async function findComponent(reader: Reader, id: number): Promise<ExportedComponent> {
  const component = await reader
    .selectFrom('components')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
  const srg = await reader
    .selectFrom('benchmarks')
    .select(['benchmark_id', 'title', 'version'])
    .where('id', '=', component.security_requirements_guide_id)
    .executeTakeFirstOrThrow()
  const questions = await reader
    .selectFrom('additional_questions')
    .selectAll()
    .where('component_id', '=', id)
    .orderBy('id')
    .execute()
  const sources = await findSources(reader, (is) => sourcesOf(is, id))
  const satisfierChecks = await findSatisfierChecks(reader, id)
  const rules = (await findRules(reader, ofComponent(id))).map((rule) => ({
    ...rule,
    source: sources.get(rule.srg_rule_id ?? 0) ?? null,
    satisfierCheck: satisfierChecks.get(rule.satisfiedBy[0]?.id ?? 0) ?? null,
  }))
  return { component, srg, questions, rules }
}

/** By the id of the satisfying rule, which may belong to another component. */
async function findSatisfierChecks(reader: Reader, componentId: number): Promise<ReadonlyMap<number, string>> {
  const checks = await reader
    .selectFrom('rule_checks')
    .select(['rule_id', 'content'])
    .where('rule_id', 'in', (is) =>
      is
        .selectFrom('rule_satisfactions as link')
        .innerJoin('rules', 'rules.id', 'link.rule_id')
        .select('link.satisfied_by_rule_id')
        .where('rules.component_id', '=', componentId),
    )
    .orderBy('id')
    .execute()
  const byRule = new Map<number, { readonly content: string | null }[]>()
  for (const { rule_id, content } of checks) append(byRule, rule_id, { content })
  return new Map([...byRule].map(([id, ruleChecks]) => [id, joinChecks({ checks: ruleChecks })]))
}

type SourceExpressionBuilder = Pick<
  ExpressionBuilder<Schema, 'benchmark_rules' | 'benchmark_checks' | 'benchmark_fixes'>,
  'selectFrom'
>

/** Finds requirements by id. */
export async function findSources(
  reader: Reader,
  condition: (is: SourceExpressionBuilder) => ReturnType<typeof sourcesOf>,
): Promise<ReadonlyMap<number, SourceRequirement>> {
  const requirements = await reader
    .selectFrom('benchmark_rules')
    .select(['id', 'title', 'group_title', 'vuln_discussion'])
    .where('id', 'in', condition)
    .execute()
  const checks = await reader
    .selectFrom('benchmark_checks')
    .select(['rule_id', 'content as text'])
    .where('rule_id', 'in', condition)
    .orderBy('id')
    .execute()
  const fixes = await reader
    .selectFrom('benchmark_fixes')
    .select(['rule_id', 'text'])
    .where('rule_id', 'in', condition)
    .orderBy('id')
    .execute()
  const check = firstOfEach(checks)
  const fix = firstOfEach(fixes)
  return new Map(
    requirements.map(({ id, title, group_title: groupTitle, vuln_discussion: discussion }) => [
      id,
      { title, groupTitle, discussion, check: check.get(id) ?? null, fix: fix.get(id) ?? null },
    ]),
  )
}

function sourcesOf(is: SourceExpressionBuilder, componentId: number) {
  return is
    .selectFrom('rules')
    .select('rules.srg_rule_id')
    .where('rules.component_id', '=', componentId)
    .where('rules.srg_rule_id', 'is not', null)
    .$narrowType<{ srg_rule_id: number }>()
}

function firstOfEach(
  parts: readonly { readonly rule_id: number; readonly text: string | null }[],
): ReadonlyMap<number, string | null> {
  const firstTexts = new Map<number, string | null>()
  for (const { rule_id, text } of parts) if (!firstTexts.has(rule_id)) firstTexts.set(rule_id, text)
  return firstTexts
}
