import { pick } from '../../../../platform/records.ts'
import { DISCUSSION_FIELDS, namesOf } from '../../../../tables/field-lists.ts'
import { checkRow, fixColumns, identColumns } from '../../../authoring/rule-editing/catalogue-parts.ts'
import type { NewRule } from '../../../authoring/rule-editing/new-rules.ts'
import { findChecks, findFixes, findIdents } from '../../../catalogue/benchmarks/rule-parts.ts'
import type { Reader } from '../../../database/transaction.ts'

/** A rule made from a requirement, without a number. */
export interface Requirement extends Pick<NewRule, 'checks'> {
  readonly row: Omit<NewRule['row'], 'number'>
}

/** Fields that have the same form in the catalogue and in rules. */
const DISCUSSION = namesOf(DISCUSSION_FIELDS)

/** More rules than any benchmark has. */
const LAST_POSITION = 1_000_000

/** Finds all requirements of an SRG by id. If several share an id, takes the first in the document. */
export async function findRequirements(reader: Reader, benchmarkId: number): Promise<ReadonlyMap<string, Requirement>> {
  const portion = { benchmarkId, from: 0, to: LAST_POSITION }
  const checks = await findChecks(reader, portion)
  const fixes = await findFixes(reader, portion)
  const idents = await findIdents(reader, portion)
  const rules = await reader
    .selectFrom('benchmark_rules')
    .selectAll()
    .where('benchmark_id', '=', benchmarkId)
    .orderBy('position', 'desc')
    .execute()
  const now = new Date().toISOString()
  return new Map(
    rules.map((rule) => {
      const { id, version, title, severity, weight, group_id } = rule
      const row = {
        version,
        title,
        rule_severity: severity,
        rule_weight: weight,
        vuln_id: group_id,
        ...pick(rule, DISCUSSION),
        fixtext: fixes.get(id)?.[0]?.text ?? null,
        ...fixColumns(fixes.get(id)?.[0]),
        ...identColumns({ idents: idents.get(id) ?? [] }),
        ...BLANK_RULE,
        srg_rule_id: id,
        created_at: now,
        updated_at: now,
      }
      return [rule.version ?? '', { row, checks: (checks.get(id) ?? []).map(checkRow) }]
    }),
  )
}

/** A rule without content. Absent columns are null. */
const BLANK_RULE = {
  status: 'Not Yet Determined',
  locked_fields: '{}',
} as const
