import { ADVISED_TEXTS, namesOf } from '../tables/field-lists.ts'

/** The parts of a rule that advice reads. */
export interface WrittenRule {
  readonly documentType: 'stig' | 'srg'
  readonly status: string
  /** Whether another rule satisfies it. */
  readonly isSatisfied: boolean
  readonly severity: string
  readonly title: string
  readonly checks: readonly { readonly id: number | null; readonly content: string | null }[]
  readonly texts: Readonly<Partial<Record<WrittenText, string | null>>>
  /** The requirement that it was made from, if any. */
  readonly requirement: { readonly severity: string; readonly discussion: string | null } | null
}

/** Texts of a rule other than its checks; the names are those of the API. */
export const WRITTEN_TEXTS = namesOf(ADVISED_TEXTS)

export type WrittenText = (typeof WRITTEN_TEXTS)[number]

/** The rest of a longer text is not read. */
export const MAX_READ_LENGTH = 32_000

export function textOf(rule: WrittenRule, field: WrittenText): string {
  return (rule.texts[field] ?? '').slice(0, MAX_READ_LENGTH)
}

export function isBlank(text: string | null | undefined): boolean {
  return (text ?? '').trim() === ''
}
