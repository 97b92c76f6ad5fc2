import { recordOf } from '../../../platform/records.ts'
import { WRITTEN_TEXTS, type WrittenRule } from '../../../wording/rule.ts'
import type { RuleControls } from '../../authoring/advice/written.ts'
import type { NewRule } from '../../authoring/rule-editing/new-rules.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'

/** A rule that a file would become, as its words are read. Its requirement is unknown: the SRG is another file. */
export function writtenByFile({ row, checks }: NewRule, documentType: BenchmarkKind, isSatisfied = false): WrittenRule {
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

/** The CCIs of a rule that a file would become. */
export function citedByFile({ row }: NewRule): RuleControls {
  return { ident: row.ident ?? '', required: [], iaControls: row.ia_controls ?? '' }
}
