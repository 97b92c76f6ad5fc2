import { sql, type RawBuilder } from 'kysely'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import { pick } from '../../../platform/records.ts'
import { CHECK_COLUMNS, SEARCHED_TEXTS } from '../../../tables/field-lists.ts'
import type { Writer } from '../../database/transaction.ts'
import { withoutNulls } from '../rule-editing/parts.ts'
import { recordChanges, type ChangeContext } from '../rule-locks/locking.ts'
import { keyOf, type RewrittenRule, type TextColumn } from './texts.ts'

/** The number of rules to store at once. Texts are long, and others must not wait. */
const BATCH_SIZE = 100

/** Stores new texts of many rules with few statements. Returns the ids of their audit entries. */
export async function storeTexts(
  writer: Writer,
  rewritten: readonly RewrittenRule[],
  context: ChangeContext,
): Promise<readonly number[]> {
  for await (const portion of inPortions(rewritten, BATCH_SIZE)) await storePortion(writer, portion)
  const texts = new Map(rewritten.map((item) => [item.rule.id, item.texts]))
  const rules = rewritten.map(({ rule }) => rule)
  return recordChanges(writer, rules, {
    ...context,
    kind: 'rule.updated',
    values: ({ id, checks }) => {
      const rewritten = texts.get(id) ?? []
      const valueOf = (
        version: 'text' | 'after',
      ): Readonly<Record<string, string | Readonly<Record<string, string>>>> =>
        Object.fromEntries(
          rewritten.map((rewrittenText) => {
            const check = checks.find((is) => is.id === rewrittenText.checkId)
            const value = rewrittenText[version]
            // The entry has the form that `writeParts` gives it, so that it can be reverted in the same way.
            return [
              keyOf(rewrittenText),
              check === undefined ? value : withoutNulls({ ...pick(check, CHECK_COLUMNS), content: value }),
            ]
          }),
        )
      return [valueOf('text'), valueOf('after')]
    },
  })
}

async function storePortion(writer: Writer, portion: readonly RewrittenRule[]): Promise<void> {
  for (const field of SEARCHED_TEXTS) {
    const texts = portion.flatMap(({ rule, texts: ruleTexts }) =>
      ruleTexts.filter((text) => text.field === field).map(({ checkId, after }) => ({ id: checkId ?? rule.id, after })),
    )
    if (texts.length === 0) continue
    if (field === 'check_content') await storeChecks(writer, texts)
    else await storeColumn(writer, field, texts)
  }
  const updated_at = new Date().toISOString()
  const ids = portion.map(({ rule }) => rule.id)
  await writer
    .updateTable('rules')
    .set((is) => ({ updated_at, lock_version: is('lock_version', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
}

interface NewText {
  readonly id: number
  readonly after: string
}

async function storeColumn(writer: Writer, column: TextColumn, texts: readonly NewText[]): Promise<void> {
  await writer
    .updateTable('rules')
    .set(column, byId(texts, column))
    .where(
      'id',
      'in',
      texts.map(({ id }) => id),
    )
    .execute()
}

async function storeChecks(writer: Writer, texts: readonly NewText[]): Promise<void> {
  await writer
    .updateTable('rule_checks')
    .set('content', byId(texts, 'content'))
    .where(
      'id',
      'in',
      texts.map(({ id }) => id),
    )
    .execute()
}

function byId(texts: readonly NewText[], column: string): RawBuilder<string> {
  const cases = texts.map(({ id, after }) => sql`when ${id} then ${after}`)
  return sql<string>`case id ${sql.join(cases, sql` `)} else ${sql.ref(column)} end`
}
