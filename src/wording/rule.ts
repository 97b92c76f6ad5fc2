import { ADVISED_TEXTS, namesOf } from '../tables/field-lists.ts'

/** A rule as its author has written it, as far as somebody can be told something about its words. */
export interface WrittenRule {
  readonly documentType: 'stig' | 'srg'
  readonly status: string
  /** Whether another rule satisfies it. */
  readonly isSatisfied: boolean
  readonly severity: string
  readonly title: string
  readonly checks: readonly { readonly id: number | null; readonly content: string | null }[]
  readonly texts: Readonly<Partial<Record<WrittenText, string | null>>>
  /** The requirement that it was made from, where there is one. */
  readonly requirement: { readonly severity: string; readonly discussion: string | null } | null
}

/** Texts that a rule has one of; the names are those of the API. */
export const WRITTEN_TEXTS = namesOf(ADVISED_TEXTS)

export type WrittenText = (typeof WRITTEN_TEXTS)[number]

/** Longer texts are read so far. */
export const READ_SO_FAR = 32_000

export function textOf(rule: WrittenRule, field: WrittenText): string {
  return (rule.texts[field] ?? '').slice(0, READ_SO_FAR)
}

export function isBlank(text: string | null | undefined): boolean {
  return (text ?? '').trim() === ''
}
