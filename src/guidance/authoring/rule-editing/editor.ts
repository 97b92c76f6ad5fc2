import type { Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { append } from '../../../platform/append.ts'
import { inOrder, pick } from '../../../platform/records.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import { findReviews } from '../reviews/records/reader.ts'
import type { Review } from '../reviews/records/schemas.ts'
import { inspecControl } from '../rules/inspec.ts'
import { findRules, type AuthoredRule, type RuleCondition } from '../rules/reader.ts'
import { EDITED, type RuleEditor } from '../rules/schemas.ts'
import { shapeTexts, shapeView } from '../rules/shape.ts'
import { findSources, type RequirementSource } from '../rules/sources.ts'

/** Finds rules for the editor, in order, with a fixed number of queries. */
export async function findEditorRules(
  reader: Reader,
  condition: RuleCondition,
  caller: Caller,
): Promise<readonly RuleEditor[]> {
  const rules = await findRules(reader, condition)
  const sources = await findSources(reader, rules, condition)
  const reviews = reviewsByRule(await findReviews(reader, caller, { rules: condition }))
  return rules.map((rule) =>
    shapeEditor(rule, {
      source: sources.get(rule.srg_rule_id ?? 0) ?? null,
      reviews: reviews.get(rule.id) ?? [],
    }),
  )
}

/** One live rule for the editor; 404 if it does not exist. */
export async function requireEditorRule(reader: Reader, id: number, caller: Caller): Promise<RuleEditor> {
  const [rule] = await findEditorRules(reader, (is) => is('rules.id', '=', id), caller)
  if (rule === undefined) throw notFound()
  return rule
}

/** The id of the live rule with this displayed name; 404 if the component has none. */
export async function requireNamedRule(reader: Reader, componentId: number, name: string): Promise<number> {
  const [digits = ''] = /\d{6,9}$/.exec(name) ?? []
  const rule = await reader
    .selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['rules.id', 'rules.number', 'components.prefix'])
    .where('rules.component_id', '=', componentId)
    .where('rules.number', '=', Number(digits))
    .where('rules.deleted_at', 'is', null)
    .executeTakeFirst()
  if (rule === undefined || displayedName(rule.prefix, rule.number) !== name) throw notFound()
  return rule.id
}

interface EditorExtras {
  readonly source: RequirementSource | null
  readonly reviews: readonly Review[]
}

/** Answers have always had the language before the file. */
const WRITTEN = inOrder(['inspec_control_body', 'inspec_control_body_lang', 'inspec_control_file_lang'], EDITED)

function shapeEditor(rule: AuthoredRule, { source, reviews }: EditorExtras): RuleEditor {
  const ruleFields = {
    ...pick(rule, WRITTEN),
    inspec_control_file: rule.inspec_control_file ?? inspecControl(rule),
    rule_descriptions_attributes: shapeTexts(rule),
    reviews: [...reviews],
    additional_answers_attributes: rule.answers.map(({ id, additional_question_id, answer }) => ({
      id,
      additional_question_id,
      answer,
    })),
    srg_rule_attributes: source?.requirement ?? null,
    srg_info: { version: source?.release ?? null },
    source_rule_id: rule.source_rule_id,
  }
  return Object.assign(shapeView(rule), ruleFields)
}

function reviewsByRule(reviews: readonly Review[]): ReadonlyMap<number, readonly Review[]> {
  const groups = new Map<number, Review[]>()
  for (const review of reviews) if (review.rule_id !== null) append(groups, review.rule_id, review)
  return groups
}
