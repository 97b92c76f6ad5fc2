import { recordOf } from '../../../platform/records.ts'
import type { CitedControls } from '../../../wording/controls.ts'
import { WRITTEN_TEXTS, type WrittenRule } from '../../../wording/rule.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import type { SourceRequirement } from '../rules/schemas.ts'
import { ccisOf } from '../rules/shape.ts'

/** Shapes an authored rule for the checks of its words. */
export function toWrittenRule(rule: AuthoredRule, source: SourceRequirement | undefined): WrittenRule {
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

/**
 * Shapes the CCIs of a rule for the checks. A requirement of an SRG chooses its own CCIs, so none are required of it.
 */
export function citedBy(rule: AuthoredRule, source: SourceRequirement | undefined): RuleControls {
  return {
    ident: rule.ident ?? '',
    required: rule.document_type === 'srg' ? [] : ccisOf(source?.ident ?? null),
    iaControls: rule.ia_controls ?? '',
  }
}

/** The CCIs of a rule, and those that its requirement has. */
export type RuleControls = Omit<CitedControls, 'controlOf'>
