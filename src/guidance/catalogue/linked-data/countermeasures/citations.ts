import { inPortions } from '../../../../platform/concurrency/turns.ts'
import { getOrMake } from '../../../../platform/get-or-make.ts'
import type { Reader } from '../../../database/transaction.ts'
import { ccisIn } from '../graph/project.ts'

/** The cited CCIs of rules, by the id of the rule, without duplicates. */
export type Citations = ReadonlyMap<number, ReadonlySet<string>>

export async function citationsOf(reader: Reader, benchmarkId: number): Promise<Citations> {
  const rows = await reader
    .selectFrom('benchmark_idents as ident')
    .innerJoin('benchmark_rules as rule', 'rule.id', 'ident.rule_id')
    .select(['ident.rule_id', 'ident.value'])
    .where('rule.benchmark_id', '=', benchmarkId)
    .execute()
  const citations = new Map<number, Set<string>>()
  addCitations(citations, rows)
  return citations
}

/** A rule that cites some of the requested CCIs. */
export interface CitingRule {
  readonly id: number
  readonly benchmarkId: number
  readonly ruleId: string
  readonly position: number
  readonly ccis: ReadonlySet<string>
}

/** Finds the rules of all benchmarks that cite any of the CCIs, in no particular order. */
export async function findCiting(reader: Reader, ccis: ReadonlySet<string>): Promise<readonly CitingRule[]> {
  if (ccis.size === 0) return []
  const idents = reader
    .selectFrom('benchmark_idents as ident')
    .innerJoin('benchmark_rules as rule', 'rule.id', 'ident.rule_id')
    .select(['rule.id', 'rule.benchmark_id as benchmarkId', 'rule.rule_id as ruleId'])
    .select(['rule.position', 'ident.value'])
  const singleCcis = await idents.where('ident.value', 'in', [...ccis]).execute()
  // Few idents contain several CCIs, or other text.
  const mixedTexts = await idents
    .where('ident.value', 'like', '%CCI-______%')
    .where('ident.value', 'not like', 'CCI-______')
    .execute()
  const rules = new Map<number, CitingRule & { readonly ccis: Set<string> }>()
  for (const { value, ...rule } of [...singleCcis, ...mixedTexts]) {
    const cited = ccisIn(value).filter((cci) => ccis.has(cci))
    if (cited.length === 0) continue
    const citation = getOrMake(rules, rule.id, () => ({ ...rule, ccis: new Set<string>() }))
    for (const cci of cited) citation.ccis.add(cci)
  }
  return [...rules.values()]
}

/** Rules of one statement, whose number of parameters is limited. */
const BATCH_SIZE = 1000

/** Finds the CCIs that the rules cite, by the id of the rule; rules without any are left out. */
export async function findCcisOfRules(reader: Reader, ids: readonly number[]): Promise<Citations> {
  const citations = new Map<number, Set<string>>()
  for await (const portion of inPortions(ids, BATCH_SIZE)) {
    const rows = await reader
      .selectFrom('benchmark_idents')
      .select(['rule_id', 'value'])
      .where('rule_id', 'in', portion)
      .orderBy('id')
      .execute()
    addCitations(citations, rows)
  }
  return citations
}

function addCitations(
  citations: Map<number, Set<string>>,
  rows: readonly { readonly rule_id: number; readonly value: string }[],
): void {
  for (const { rule_id, value } of rows)
    for (const cci of ccisIn(value)) getOrMake(citations, rule_id, () => new Set<string>()).add(cci)
}
