import type { SearchedText } from '../../../tables/field-lists.ts'
import { nameOf, type NamedRule } from '../rule-locks/locking.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { isLockedFor } from '../rules/sections.ts'
import { limitOf } from '../rules/text-limits.ts'
import type { Edit } from './excerpt.ts'

export type TextColumn = Exclude<SearchedText, 'check_content'>

/** A text of a rule. The text of a check has the id of the check. */
export interface RuleText {
  readonly field: SearchedText
  readonly checkId: number | null
  readonly text: string
}

export function textsOf(rule: AuthoredRule, fields: readonly SearchedText[]): readonly RuleText[] {
  return fields.flatMap((field): readonly RuleText[] => {
    if (field === 'check_content')
      return rule.checks.flatMap(({ id, content }) => (content === null ? [] : [{ field, checkId: id, text: content }]))
    const text = rule[field]
    return text === null ? [] : [{ field, checkId: null, text }]
  })
}

/** The name of a text in the audit trail and for locks. */
export function keyOf({ field, checkId }: Pick<RuleText, 'field' | 'checkId'>): string {
  return checkId === null ? field : `checks_attributes.${checkId}`
}

interface MatchOptions {
  readonly caseSensitive: boolean
  /** Whether a match must not have a letter or digit beside it. */
  readonly wholeWords: boolean
}

const IN_WORD = String.raw`[\p{L}\p{M}\p{N}_]`
const BEGINS_IN_WORD = new RegExp(`^${IN_WORD}`, 'u')
const ENDS_IN_WORD = new RegExp(`${IN_WORD}$`, 'u')

/** Makes a pattern that matches the text literally. */
export function matcher(find: string, { caseSensitive, wholeWords }: MatchOptions): RegExp {
  const literal = find.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
  const before = wholeWords && BEGINS_IN_WORD.test(find) ? `(?<!${IN_WORD})` : ''
  const after = wholeWords && ENDS_IN_WORD.test(find) ? `(?!${IN_WORD})` : ''
  return new RegExp(`${before}${literal}${after}`, caseSensitive ? 'gu' : 'giu')
}

/** A text, its edits, and the text after them. */
export interface RewrittenText extends RuleText {
  readonly edits: readonly Edit[]
  readonly after: string
}

export type UnchangedReason = 'locked' | 'section_locked' | 'too_long' | 'blank' | 'edited_since'

/** The reason why a text is not changed; null if it is. */
export function reasonAgainst(rule: AuthoredRule, rewriting: RewrittenText): UnchangedReason | null {
  if (rule.locked === 1) return 'locked'
  if (isLockedFor(rule, keyOf(rewriting))) return 'section_locked'
  const limit = limitOf(rewriting.field)
  const { after, text } = rewriting
  if (after.length > limit && after.length > text.length) return 'too_long'
  if (rewriting.field === 'title' && after.trim() === '') return 'blank'
  return null
}

export const REASONS: Readonly<Record<UnchangedReason, string>> = {
  locked: 'The rule is locked',
  section_locked: 'The section is locked',
  too_long: 'The text would be too long',
  blank: 'The title would be blank',
  edited_since: 'The text has been changed since',
}

/** The new texts of a rule. */
export interface RewrittenRule {
  readonly rule: AuthoredRule
  readonly texts: readonly RewrittenText[]
}

export interface UnchangedText extends NamedRule {
  readonly field: SearchedText
  readonly check_id: number | null
  readonly reason: UnchangedReason
  readonly message: string
}

export function unchangedTextOf(rule: AuthoredRule, text: RuleText, reason: UnchangedReason): UnchangedText {
  const { field, checkId: check_id } = text
  return { ...nameOf(rule), field, check_id, reason, message: REASONS[reason] }
}

/** Separates the texts that can be changed from those that cannot, with the reasons. */
export function separateUnchanged(rules: readonly RewrittenRule[]): {
  readonly rewritten: readonly RewrittenRule[]
  readonly unchanged: readonly UnchangedText[]
} {
  const rewritten = rules.map(({ rule, texts }) => ({
    rule,
    texts: texts.filter((text) => reasonAgainst(rule, text) === null),
  }))
  const unchanged = rules.flatMap(({ rule, texts }) =>
    texts.flatMap((text) => {
      const reason = reasonAgainst(rule, text)
      return reason === null ? [] : [unchangedTextOf(rule, text, reason)]
    }),
  )
  return { rewritten: rewritten.filter(({ texts }) => texts.length > 0), unchanged }
}
