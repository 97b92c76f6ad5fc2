import { append } from '../../../platform/append.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Check, Fix, Ident, Reference } from '../xccdf/benchmark.ts'

/** A check with the id of its record. */
export interface StoredCheck extends Check {
  readonly id: number
}

/** A range of rules of a benchmark by position: `from` is included, `to` is not. */
export interface RuleRange {
  readonly benchmarkId: number
  readonly from: number
  readonly to: number
}

type PartsByRule<T> = ReadonlyMap<number, readonly T[]>

/** The checks by the id of their rule, in document order. The functions below return other parts in the same way. */
export async function findChecks(reader: Reader, portion: RuleRange): Promise<PartsByRule<StoredCheck>> {
  const rows = await rulesIn(reader, portion)
    .innerJoin('benchmark_checks as part', 'part.rule_id', 'rule.id')
    .select(['part.rule_id as owner', 'part.id', 'part.system', 'part.content'])
    .select(['part.content_ref_name as contentRefName', 'part.content_ref_href as contentRefHref'])
    .orderBy('part.id')
    .execute()
  return byRule(rows)
}

export async function findFixes(reader: Reader, portion: RuleRange): Promise<PartsByRule<Fix>> {
  const rows = await rulesIn(reader, portion)
    .innerJoin('benchmark_fixes as part', 'part.rule_id', 'rule.id')
    .select(['part.rule_id as owner', 'part.fixref', 'part.fix_id as fixId', 'part.text'])
    .orderBy('part.id')
    .execute()
  return byRule(rows)
}

export async function findIdents(reader: Reader, portion: RuleRange): Promise<PartsByRule<Ident>> {
  const rows = await rulesIn(reader, portion)
    .innerJoin('benchmark_idents as part', 'part.rule_id', 'rule.id')
    .select(['part.rule_id as owner', 'part.system', 'part.value'])
    .orderBy('part.id')
    .execute()
  return byRule(rows)
}

export async function findReferences(reader: Reader, portion: RuleRange): Promise<PartsByRule<Reference>> {
  const rows = await rulesIn(reader, portion)
    .innerJoin('benchmark_references as part', 'part.rule_id', 'rule.id')
    .select(['part.rule_id as owner', 'part.href', 'part.title', 'part.publisher'])
    .select(['part.type', 'part.subject', 'part.identifier'])
    .orderBy('part.id')
    .execute()
  return byRule(rows)
}

function rulesIn(reader: Reader, { benchmarkId, from, to }: RuleRange) {
  return reader
    .selectFrom('benchmark_rules as rule')
    .where('rule.benchmark_id', '=', benchmarkId)
    .where('rule.position', '>=', from)
    .where('rule.position', '<', to)
}

function byRule<T extends { readonly owner: number }>(rows: readonly T[]): PartsByRule<Omit<T, 'owner'>> {
  const parts = new Map<number, Omit<T, 'owner'>[]>()
  for (const { owner, ...part } of rows) append(parts, owner, part)
  return parts
}
