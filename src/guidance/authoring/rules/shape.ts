import { z } from 'zod'
import { nistControlsOf } from '../../catalogue/benchmarks/nist-controls.ts'
import { displayedName, ruleIdOf } from '../../database/rule-names.ts'
import type { AuthoredRule, LinkedRule, RuleHead } from './reader.ts'
import type { ruleBase, RuleView } from './schemas.ts'

const lockedFields = z.record(z.string(), z.literal(true))

/** Spelt out, as in every shape of long lists: to spread objects takes a hundred times as long. */
export function shapeBase(rule: RuleHead): z.infer<typeof ruleBase> {
  return {
    id: rule.id,
    title: rule.title,
    version: rule.version,
    status: rule.status,
    rule_severity: rule.rule_severity,
    review_requestor_id: rule.review_requestor_id,
    lock_version: rule.lock_version,
    rule_id: ruleIdOf(rule.number),
    locked: rule.locked === 1,
    changes_requested: rule.changes_requested === 1,
    comment_summary: rule.comments,
    displayed_name: displayedName(rule.prefix, rule.number),
  }
}

/** What viewers see of a rule. */
export function shapeView(rule: AuthoredRule): RuleView {
  const own = {
    rule_weight: rule.rule_weight,
    fixtext: rule.fixtext,
    fixtext_fixref: rule.fixtext_fixref,
    ident: rule.ident,
    ident_system: rule.ident_system,
    vendor_comments: rule.vendor_comments,
    vuln_id: rule.vuln_id,
    legacy_ids: rule.legacy_ids,
    component_id: rule.component_id,
    status_justification: rule.status_justification,
    artifact_description: rule.artifact_description,
    updated_at: rule.updated_at,
    locked_fields: lockedFieldsOf(rule),
    nist_control_family: nistOf(rule),
    srg_id: rule.version,
    disa_rule_descriptions_attributes: [shapeDescription(rule)],
    checks_attributes: rule.checks.map(shapeCheck),
  }
  return Object.assign(shapeBase(rule), own, shapeOfKind(rule))
}

function shapeOfKind(rule: AuthoredRule): Partial<RuleView> {
  if (rule.document_type === 'srg')
    return { derived_from_version: rule.version, rule_descriptions_attributes: shapeTexts(rule) }
  return {
    satisfies: rule.satisfies.map(shapeLink),
    satisfied_by: rule.satisfiedBy.map((link) =>
      Object.assign(shapeLink(link), { fixtext: link.fixtext, component_prefix: link.prefix }),
    ),
  }
}

function shapeCheck(check: AuthoredRule['checks'][number]): RuleView['checks_attributes'][number] {
  const { id, system, content_ref_name, content_ref_href, content } = check
  return { id, system, content_ref_name, content_ref_href, content, _destroy: false }
}

type DescriptionTexts = NonNullable<RuleView['rule_descriptions_attributes']>

export function shapeTexts({ descriptions }: AuthoredRule): DescriptionTexts {
  return descriptions.map(({ id, description }) => ({ id, description, _destroy: false }))
}

export function lockedFieldsOf({
  locked_fields,
}: Pick<AuthoredRule, 'locked_fields'>): Readonly<Record<string, true>> {
  return locked_fields === '{}' ? {} : lockedFields.parse(JSON.parse(locked_fields))
}

/** NIST SP 800-53 controls of the CCIs: `AC-2 (1), CM-6 b`; null where none is known. */
export function nistOf({ ident }: Pick<AuthoredRule, 'ident'>): string | null {
  return nistControlsOf({ idents: ccisOf(ident).map((value) => ({ system: '', value })) })
}

export function ccisOf(ident: string | null): readonly string[] {
  return (ident ?? '').split(/[,;\s]+/).filter((value) => value !== '')
}

export function shapeLink(link: LinkedRule): {
  id: number
  rule_id: string
  srg_id: string | null
} {
  return { id: link.id, rule_id: ruleIdOf(link.number), srg_id: link.version }
}

/** A rule has one, which is part of its own record and has its number. */
function shapeDescription(rule: AuthoredRule): RuleView['disa_rule_descriptions_attributes'][0] {
  return {
    id: rule.id,
    vuln_discussion: rule.vuln_discussion,
    false_positives: rule.false_positives,
    false_negatives: rule.false_negatives,
    mitigations: rule.mitigations,
    poam: rule.poam,
    severity_override_guidance: rule.severity_override_guidance,
    potential_impacts: rule.potential_impacts,
    third_party_tools: rule.third_party_tools,
    mitigation_control: rule.mitigation_control,
    responsibility: rule.responsibility,
    ia_controls: rule.ia_controls,
    documentable: asFlag(rule.documentable),
    mitigations_available: asFlag(rule.mitigations_available),
    poam_available: asFlag(rule.poam_available),
    _destroy: false,
  }
}

function asFlag(value: number | null): boolean | null {
  return value === null ? null : value === 1
}
