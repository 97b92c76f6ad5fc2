import { recordOf } from '../../../platform/records.ts'
import { adviseOnControls } from '../../../wording/controls.ts'
import type { Finding } from '../../../wording/finding.ts'
import { WRITTEN_TEXTS, type WrittenRule } from '../../../wording/rule.ts'
import { nistControls } from '../../catalogue/benchmarks/nist-controls.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import type { SourceRequirement } from '../rules/schemas.ts'
import { ccisOf } from '../rules/shape.ts'

/** An authored rule as its words are read. */
export function writtenOf(rule: AuthoredRule, source: SourceRequirement | undefined): WrittenRule {
  return {
    documentType: rule.document_type,
    status: rule.status,
    isSatisfied: rule.satisfiedBy.length > 0,
    severity: rule.rule_severity,
    title: rule.title,
    checks: rule.checks.map(({ id, content }) => ({ id, content })),
    texts: recordOf(WRITTEN_TEXTS, (name) => rule[name]),
    requirement: source === undefined ? null : { severity: source.rule_severity, discussion: source.vuln_discussion },
  }
}

/** Checks the CCIs of a rule; a requirement of an SRG has its own. */
export function adviseOnCcis(rule: AuthoredRule, source: SourceRequirement | undefined): readonly Finding[] {
  const controls = nistControls()
  return adviseOnControls({
    ident: rule.ident ?? '',
    required: rule.document_type === 'srg' ? [] : ccisOf(source?.ident ?? null),
    iaControls: rule.ia_controls ?? '',
    controlOf: (cci) => controls.get(cci),
  })
}
