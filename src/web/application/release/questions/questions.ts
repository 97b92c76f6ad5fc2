import type { components } from '#api-types'

export type Question = components['schemas']['GetRuleFormAnswer']['additional_questions'][number]
export type Kind = Question['question_type']

export interface TypedQuestion {
  /** Null for a new question. */
  readonly id: number | null
  /** The key of its row. */
  readonly key: number
  name: string
  question_type: Kind
  /** One option on each line. */
  options: string
}

export const KINDS: Readonly<Record<Kind, string>> = {
  freeform: 'Text',
  dropdown: 'One of a list',
  url: 'Web address',
}

export function typedOf(questions: readonly Question[]): TypedQuestion[] {
  return questions.map(({ id, name, question_type, options }) => ({
    id,
    key: id,
    name,
    question_type,
    options: options.join('\n'),
  }))
}

interface QuestionChange {
  id?: number
  name?: string
  question_type?: Kind
  options?: string[]
  _destroy?: boolean
}

/**
 * The changes for the API: first the shown questions, because errors refer to their positions, then the removed ones.
 */
export function changesOf(before: readonly Question[], typed: readonly TypedQuestion[]): QuestionChange[] {
  const keptIds = new Set(typed.map(({ id }) => id))
  return [
    ...typed.map(({ id, name, question_type, options }) => ({
      ...(id !== null && { id }),
      name: name.trim(),
      question_type,
      options: question_type === 'dropdown' ? linesOf(options) : [],
    })),
    ...before.filter(({ id }) => !keptIds.has(id)).map(({ id }) => ({ id, _destroy: true })),
  ]
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines)].filter((line) => line !== '')
}
