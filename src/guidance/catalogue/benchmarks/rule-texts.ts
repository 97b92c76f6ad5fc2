import { append } from '../../../platform/append.ts'
import type { Reader } from '../../database/transaction.ts'

/** Texts in the order of the file, by the id of the rule. */
export type TextsByRule = ReadonlyMap<number, readonly (string | null)[]>

/** The checks and fixes of catalogue rules; rules without any are left out. */
export async function findRuleTexts(
  reader: Reader,
  ids: readonly number[],
): Promise<{ readonly checks: TextsByRule; readonly fixes: TextsByRule }> {
  const checks = await reader
    .selectFrom('benchmark_checks')
    .select(['rule_id', 'content as text'])
    .where('rule_id', 'in', ids)
    .orderBy('id')
    .execute()
  const fixes = await reader
    .selectFrom('benchmark_fixes')
    .select(['rule_id', 'text'])
    .where('rule_id', 'in', ids)
    .orderBy('id')
    .execute()
  return { checks: byRule(checks), fixes: byRule(fixes) }
}

export async function findDiscussions(reader: Reader, ids: readonly number[]): Promise<TextsByRule> {
  const rows = await reader
    .selectFrom('benchmark_rules')
    .select(['id as rule_id', 'vuln_discussion as text'])
    .where('id', 'in', ids)
    .execute()
  return byRule(rows)
}

function byRule(rows: readonly { readonly rule_id: number; readonly text: string | null }[]): TextsByRule {
  const texts = new Map<number, (string | null)[]>()
  for (const row of rows) append(texts, row.rule_id, row.text)
  return texts
}

/** Joins texts with blank lines: a rule may have a manual check and one for a scanner, and several fixes. */
export function joinTexts(texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null && text.trim() !== '').join('\n\n')
}
