import type { Selectable } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import type { FieldError } from '../../../http/toast.ts'
import type { AdditionalQuestionsTable } from '../../database/schema/components.ts'
import type { Writer } from '../../database/transaction.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import type { AnswerChanges } from './changes.ts'
import { lengthFault } from './content.ts'

export interface AnswerPlan {
  readonly questionId: number
  readonly before: string | null
  readonly after: string | null
  readonly question: QuestionRow
}

type QuestionRow = Pick<Selectable<AdditionalQuestionsTable>, 'id' | 'name' | 'question_type' | 'options'>

type AnsweredRule = Pick<AuthoredRule, 'component_id' | 'answers'>

/** Plans the changes of answers. 404 for an answer of another rule, and for a question of another component. */
export async function planAnswers(
  writer: Writer,
  rule: AnsweredRule,
  changes: readonly AnswerChanges[] = [],
): Promise<readonly AnswerPlan[]> {
  if (changes.length === 0) return []
  const questions = await findQuestions(writer, rule.component_id)
  const answers = new Map(rule.answers.map((answer) => [answer.additional_question_id, answer.answer]))
  const plans = new Map<number, AnswerPlan>()
  for (const change of changes) {
    const questionId = questionOf(rule, change)
    const question = questions.get(questionId)
    if (question === undefined) throw notFound()
    const before = answers.get(questionId) ?? null
    const after = change._destroy === true ? null : change.answer === undefined ? before : change.answer
    plans.set(questionId, { questionId, before, after, question })
  }
  return [...plans.values()].filter(({ before, after }) => before !== after)
}

async function findQuestions(writer: Writer, componentId: number): Promise<ReadonlyMap<number, QuestionRow>> {
  const rows = await writer
    .selectFrom('additional_questions')
    .select(['id', 'name', 'question_type', 'options'])
    .where('component_id', '=', componentId)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function questionOf(rule: AnsweredRule, changes: AnswerChanges): number {
  if (changes.id == null) {
    if (changes.additional_question_id == null) throw notFound()
    return changes.additional_question_id
  }
  const answer = rule.answers.find(({ id }) => id === changes.id)
  if (answer === undefined) throw notFound()
  return answer.additional_question_id
}

const options = z.array(z.string())

/** Finds the faults of answers. Requirements have no answers, and each kind of question has its own form. */
export function answerFaults(
  rule: Pick<AuthoredRule, 'document_type'>,
  plans: readonly AnswerPlan[],
): readonly FieldError[] {
  const field = 'additional_answers_attributes'
  if (plans.length > 0 && rule.document_type !== 'stig')
    return [{ field, message: 'A requirement of an SRG has no additional answers' }]
  return plans.flatMap(({ question, after }) => [
    ...lengthFault('answer', after).map((fault) => ({ ...fault, field })),
    ...(after === null || isValidAnswer(question, after)
      ? []
      : [{ field, message: `${question.name}: ${EXPECTED[question.question_type]}` }]),
  ])
}

const EXPECTED = {
  url: 'the answer must be an http or https address',
  dropdown: 'the answer must be one of the options',
  freeform: 'the answer must be a text',
} as const

function isValidAnswer({ question_type, options: stored }: QuestionRow, answer: string): boolean {
  if (question_type === 'url') return isWebAddress(answer)
  if (question_type === 'freeform') return true
  const choices = options.parse(JSON.parse(stored))
  return choices.length === 0 || choices.includes(answer)
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

export async function writeAnswers(writer: Writer, ruleId: number, plans: readonly AnswerPlan[]): Promise<void> {
  for (const { questionId, after: answer } of plans) {
    if (answer === null) {
      await writer
        .deleteFrom('additional_answers')
        .where('rule_id', '=', ruleId)
        .where('additional_question_id', '=', questionId)
        .execute()
      continue
    }
    await writer
      .insertInto('additional_answers')
      .values({ rule_id: ruleId, additional_question_id: questionId, answer })
      .onConflict((is) => is.columns(['rule_id', 'additional_question_id']).doUpdateSet({ answer }))
      .execute()
  }
}

type AnswerTexts = Readonly<Record<string, string | null>>

/** The answers as fields of the rule, by the id of the question. */
export function auditedAnswers(plans: readonly AnswerPlan[]): {
  readonly before: AnswerTexts
  readonly after: AnswerTexts
} {
  const textsOf = (version: 'before' | 'after'): AnswerTexts =>
    Object.fromEntries(plans.map((plan) => [`additional_answers_attributes.${plan.questionId}`, plan[version]]))
  return { before: textsOf('before'), after: textsOf('after') }
}
