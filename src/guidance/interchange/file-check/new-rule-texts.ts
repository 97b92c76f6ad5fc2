import { recordOf } from '../../../platform/records.ts'
import { WRITTEN_TEXTS, type WrittenRule } from '../../../wording/rule.ts'
import type { RuleControls } from '../../authoring/advice/written-rule.ts'
import type { NewRule } from '../../authoring/rule-editing/new-rules.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'

/**
 * Shapes the rule that an import would make, for the checks of its words. Its requirement is unknown without the SRG.
 */
export function shapeWrittenRule(
  { row, checks }: NewRule,
  documentType: BenchmarkKind,
  isSatisfied = false,
): WrittenRule {
  return {
    documentType,
    isSatisfied,
    status: row.status,
    severity: row.rule_severity,
    title: row.title,
    checks: checks.map(({ content }, id) => ({ id, content: content ?? null })),
    texts: recordOf(WRITTEN_TEXTS, (name) => row[name] ?? null),
    requirement: null,
  }
}

/** The CCIs of the rule that an import would make. */
export function citedControls({ row }: NewRule): RuleControls {
  return { ident: row.ident ?? '', required: [], iaControls: row.ia_controls ?? '' }
}
