import { foldText } from '../../platform/characters.ts'
import type { Reader } from '../database/transaction.ts'

/** Rules whose texts are read at once. */
const BATCH_SIZE = 20

export interface LiteralTerms {
  readonly terms: readonly string[]
  readonly field: 'names' | 'check'
  /** The filter stops after the portion that reaches this number. */
  readonly limit: number
}

/** Keeps the rules that contain a term literally, in any letter case, also inside words, in their order. */
export async function filterByTerms(
  reader: Reader,
  ids: readonly number[],
  { terms, field, limit }: LiteralTerms,
): Promise<readonly number[]> {
  const foldedTerms = terms.map(foldText)
  const matchingIds: number[] = []
  for (let from = 0; from < ids.length && matchingIds.length < limit; from += BATCH_SIZE) {
    const portion = ids.slice(from, from + BATCH_SIZE)
    const texts = field === 'names' ? await findNames(reader, portion) : await findChecks(reader, portion)
    const matching = new Set(
      texts
        .filter(({ text }) => foldedTerms.some((term) => foldText(text ?? '').includes(term)))
        .map(({ rule_id }) => rule_id),
    )
    matchingIds.push(...portion.filter((id) => matching.has(id)))
  }
  return matchingIds
}

interface RuleText {
  readonly rule_id: number
  readonly text: string | null
}

async function findChecks(reader: Reader, ids: readonly number[]): Promise<readonly RuleText[]> {
  return reader
    .selectFrom('benchmark_checks')
    .select(['rule_id', 'content as text'])
    .where('rule_id', 'in', ids)
    .execute()
}

/** The names of rules. The group of a requirement is not one of its names. */
async function findNames(reader: Reader, ids: readonly number[]): Promise<readonly RuleText[]> {
  const rules = await reader
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks', 'benchmarks.id', 'rule.benchmark_id')
    .select(['rule.id', 'rule.rule_id', 'rule.group_id', 'benchmarks.kind'])
    .where('rule.id', 'in', ids)
    .execute()
  const idents = await reader
    .selectFrom('benchmark_idents')
    .select(['rule_id', 'value as text'])
    .where('rule_id', 'in', ids)
    .execute()
  const ruleTexts = rules.flatMap(({ id, rule_id, group_id, kind }) =>
    [rule_id, kind === 'stig' ? group_id : null].map((text) => ({ rule_id: id, text })),
  )
  return [...ruleTexts, ...idents]
}
