import { notFound } from '../../../http/input.ts'
import { refuseValues, type FieldError } from '../../../http/toast.ts'
import type { Writer } from '../../database/transaction.ts'
import { findQuestions } from '../components/reader.ts'
import type { Question } from '../components/schemas.ts'
import type { QuestionChange } from './bodies.ts'

const FIELD = 'additional_questions_attributes'
const MAX_QUESTIONS = 100

/** A question as the request describes it; a null id makes a new one. */
type QuestionDraft = Omit<Question, 'id' | 'component_id'> & { readonly id: number | null }

/**
 * Adds, changes and removes additional questions of a component. Removing a question removes its answers. 404 for the
 * id of a question of another component. The component must be locked.
 */
export async function changeQuestions(
  writer: Writer,
  componentId: number,
  { changes, failure }: { readonly changes: readonly QuestionChange[]; readonly failure: string },
): Promise<void> {
  const before = await findQuestions(writer, componentId)
  const removed = new Set(changes.flatMap(({ id, _destroy }) => (_destroy === true ? [id] : [])))
  const changed = changes.filter(({ _destroy }) => _destroy !== true).map(drafter(before))
  if (changes.some(({ id }) => id !== undefined && !before.some((question) => question.id === id))) throw notFound()
  const affectedIds = new Set([...removed, ...changed.map(({ id }) => id)])
  const unchanged = before.filter(({ id }) => !affectedIds.has(id))
  const errors = [...faultsOf(changed), ...clashes([...unchanged, ...changed])]
  if (errors.length > 0) throw refuseValues(failure, errors)
  await remove(
    writer,
    before.filter(({ id }) => removed.has(id)),
  )
  await write(writer, componentId, { before, changed })
}

const BLANK_QUESTION = { name: '', question_type: 'freeform', options: [] } as const

function drafter(before: readonly Question[]): (change: QuestionChange) => QuestionDraft {
  return ({ id = null, ...change }) => {
    const oldQuestion = before.find((question) => question.id === id) ?? BLANK_QUESTION
    return {
      id,
      name: change.name ?? oldQuestion.name,
      question_type: change.question_type ?? oldQuestion.question_type,
      options: change.options ?? [...oldQuestion.options],
    }
  }
}

function faultsOf(drafts: readonly QuestionDraft[]): readonly FieldError[] {
  return drafts.flatMap(({ name, question_type, options }, index) => {
    const path = (field: string): string => `${FIELD}.${index}.${field}`
    return [
      ...(name === '' ? [{ field: path('name'), message: "Question can't be blank" }] : []),
      ...(question_type === 'dropdown' && options.length === 0
        ? [{ field: path('options'), message: `Options can't be blank: ${name}` }]
        : []),
    ]
  })
}

function clashes(questions: readonly { readonly name: string }[]): readonly FieldError[] {
  const names = questions.map(({ name }) => name)
  const duplicates = new Set(names.filter((name, index) => names.indexOf(name) < index))
  return [
    ...(questions.length > MAX_QUESTIONS ? [{ field: FIELD, message: 'Too many questions' }] : []),
    ...[...duplicates].map((name) => ({ field: FIELD, message: `Question occurs twice: ${name}` })),
  ]
}

async function remove(writer: Writer, questions: readonly Question[]): Promise<void> {
  if (questions.length === 0) return
  const ids = questions.map(({ id }) => id)
  await writer.deleteFrom('additional_questions').where('id', 'in', ids).execute()
}

interface QuestionUpdate {
  readonly before: readonly Question[]
  readonly changed: readonly QuestionDraft[]
}

async function write(writer: Writer, componentId: number, { before, changed }: QuestionUpdate): Promise<void> {
  // Questions may swap names, so they first get temporary ones.
  const renamed = changed.filter(({ id, name }) =>
    before.some((question) => question.id === id && question.name !== name),
  )
  for (const { id } of renamed) await rename(writer, id, `${'-'.repeat(256)}${id}`)
  for (const { id, options, ...values } of changed) {
    const row = { ...values, options: JSON.stringify(options) }
    if (id === null)
      await writer
        .insertInto('additional_questions')
        .values({ ...row, component_id: componentId })
        .execute()
    else await writer.updateTable('additional_questions').set(row).where('id', '=', id).execute()
  }
}

async function rename(writer: Writer, id: number | null, name: string): Promise<void> {
  await writer.updateTable('additional_questions').set({ name }).where('id', '=', id).execute()
}
