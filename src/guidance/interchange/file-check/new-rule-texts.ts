import { recordOf } from '../../../platform/records.ts'
import { WRITTEN_TEXTS, type WrittenRule } from '../../../wording/rule.ts'
import type { RuleControls } from '../../authoring/advice/written-rule.ts'
import type { NewRule } from '../../authoring/rule-editing/new-rules.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'

/** Shapes a rule as an import would make it, to check its words. Without the SRG, its requirement is unknown. */
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

/** The CCIs of a rule as an import would make it. */
export function citedControls({ row }: NewRule): RuleControls {
  return { ident: row.ident ?? '', required: [], iaControls: row.ia_controls ?? '' }
}
