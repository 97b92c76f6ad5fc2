import { SEARCHED_TEXTS } from '../../../tables/field-lists.ts'
import type { Reader } from '../../database/transaction.ts'
import { nameOf } from '../rule-locks/locking.ts'
import { findRules, type AuthoredRule, type RuleCondition } from '../rules/reader.ts'
import { textsOf } from './texts.ts'

/** Finds the rules that have every word somewhere in their ids, CCIs or texts, ignoring case. Returns their numbers. */
export async function findByWords(
  reader: Reader,
  condition: RuleCondition,
  text: string,
): Promise<ReadonlySet<number>> {
  const words = text.toLowerCase().split(/\s+/)
  const rules = await findRules(reader, condition)
  const matches = rules.filter((rule) => {
    const written = wholeTextOf(rule)
    return words.every((word) => written.includes(word))
  })
  return new Set(matches.map(({ id }) => id))
}

function wholeTextOf(rule: AuthoredRule): string {
  const texts = textsOf(rule, SEARCHED_TEXTS).map((searched) => searched.text)
  return [nameOf(rule).displayed_name, rule.version, rule.ident, ...texts].join('\n').toLowerCase()
}
