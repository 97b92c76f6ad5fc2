import type { FieldForm, FieldRow, FormAccess } from '../../../../tables/field-row.ts'
import type { SavedValues, Value, Values } from '../saving/draft.ts'

/** A field as the API describes it. */
export interface FormField extends Pick<FieldRow, 'name' | 'label' | 'kind' | 'limit' | 'within'> {
  readonly section: string | null
  readonly asked: readonly string[]
  readonly when: FieldForm['when']
  readonly shown: Readonly<Record<string, FormAccess>>
}

interface Question {
  readonly id: number
  readonly name: string
  readonly question_type: 'dropdown' | 'freeform' | 'url'
  readonly options: readonly string[]
}

/** The form for the rules of a component. */
export interface RuleForm {
  readonly document_type: 'stig' | 'srg'
  readonly advanced_fields: boolean
  readonly lock_version: number
  readonly statuses: readonly string[]
  readonly sections: readonly { readonly name: string; readonly key: string }[]
  readonly fields: readonly FormField[]
  readonly additional_questions: readonly Question[]
}

/** The nested records of the edited rule, which have numbers of their own. */
export interface EditedRule {
  readonly id: number
  readonly checks_attributes: readonly { readonly id: number }[]
}

/** Names of further checks have this prefix and the id of the check. */
const OTHER_CHECK = 'content#'
const ANSWER = 'answer#'

export function otherCheckField(checkId: number): string {
  return `${OTHER_CHECK}${checkId}`
}

export function answerField(questionId: number): string {
  return `${ANSWER}${questionId}`
}

/** The values of a rule in an answer of the API, by field; null if the answer is not a rule. */
export function storedIn(rule: unknown, form: RuleForm): SavedValues | null {
  const version = memberOf(rule, 'lock_version')
  if (typeof version !== 'number') return null
  const [description] = listOf(rule, 'disa_rule_descriptions_attributes')
  const [check, ...checks] = listOf(rule, 'checks_attributes')
  const records = { rule, description, check }
  const fields = form.fields.map(({ name, within }) => [name, valueOf(records[within], name)] as const)
  const others = checks.map(
    (otherCheck) => [otherCheckField(Number(memberOf(otherCheck, 'id'))), valueOf(otherCheck, 'content')] as const,
  )
  const answers = listOf(rule, 'additional_answers_attributes').map(
    (answer) => [answerField(Number(memberOf(answer, 'additional_question_id'))), valueOf(answer, 'answer')] as const,
  )
  return { version, values: Object.fromEntries([...fields, ...others, ...answers]) }
}

function memberOf(record: unknown, name: string): unknown {
  if (typeof record !== 'object' || record === null) return undefined
  return Object.entries(record).find(([key]) => key === name)?.[1]
}

function listOf(record: unknown, name: string): readonly unknown[] {
  const list = memberOf(record, name)
  return Array.isArray(list) ? list : []
}

function valueOf(record: unknown, name: string): Value {
  const value = memberOf(record, name)
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}

/** The body of a request with the changed fields. */
export function bodyOf(changes: Values, form: RuleForm, rule: EditedRule | undefined): object {
  const changedFields = form.fields.filter(({ name }) => name in changes)
  const within = (record: FormField['within']): Values =>
    Object.fromEntries(
      changedFields.filter((field) => field.within === record).map(({ name }) => [name, changes[name] ?? null]),
    )
  const [described, checked] = [within('description'), within('check')]
  const first = rule?.checks_attributes[0]
  const checks = [
    ...(Object.keys(checked).length === 0 ? [] : [{ ...(first && { id: first.id }), ...checked }]),
    ...numberedChanges(changes, OTHER_CHECK).map(({ id, value }) => ({ id, content: value })),
  ]
  const answers = numberedChanges(changes, ANSWER).map(({ id, value }) => ({
    additional_question_id: id,
    answer: value,
  }))
  return {
    ...within('rule'),
    ...(Object.keys(described).length > 0 && { disa_rule_descriptions_attributes: [described] }),
    ...(checks.length > 0 && { checks_attributes: checks }),
    ...(answers.length > 0 && { additional_answers_attributes: answers }),
  }
}

function numberedChanges(changes: Values, start: string): readonly { readonly id: number; readonly value: Value }[] {
  return Object.entries(changes)
    .filter(([name]) => name.startsWith(start))
    .map(([name, value]) => ({ id: Number(name.slice(start.length)), value }))
}

/** Labels that differ from the names in file formats. */
const COMMON_LABELS: Readonly<Record<string, string>> = { title: 'Requirement', vuln_discussion: 'Discussion' }

function withCommonLabel(field: FormField): FormField {
  return { ...field, label: COMMON_LABELS[field.name] ?? field.label }
}

/** The fields of one rule: also its further checks and the questions of its component. */
export function fieldsOf(form: RuleForm, values: Values): readonly FormField[] {
  const check = form.fields.find(({ within }) => within === 'check')
  const others = Object.keys(values).filter((name) => name.startsWith(OTHER_CHECK))
  const questions = form.additional_questions.map((question): FormField => ({
    name: answerField(question.id),
    label: question.name,
    kind: 'text',
    limit: 10_000,
    section: null,
    within: 'rule',
    asked: [],
    when: null,
    shown: Object.fromEntries(form.statuses.map((status) => [status, 'write' as const])),
  }))
  return [
    ...form.fields
      .map(withCommonLabel)
      .flatMap((field) =>
        field.name === check?.name
          ? [field, ...others.map((name, index) => ({ ...field, name, label: `Check ${index + 2}` }))]
          : [field],
      ),
    ...questions,
  ]
}
