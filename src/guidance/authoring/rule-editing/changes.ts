import { z } from 'zod'
import { idValue, optionalText, requiredText } from '../../../http/input.ts'
import { RULE_STATUSES } from '../rules/schemas.ts'
import { limitOf } from '../rules/text-limits.ts'

/** Of nested records in one request. */
const MAX_PARTS = 100

/**
 * The catalogue has texts that are longer than what people may write (contract, input length limits).
 * An editor sends a rule back as a whole, so only what changes is held to those limits (`content.ts`).
 */
const STORED = { max: 1_000_000 }

const flag = z.boolean('Flags are true, false or null').nullable()

function text(
  label: string,
  field: string,
): z.ZodOptional<z.ZodType<string | null, string | null>> {
  return optionalText(label, STORED).meta(documented(field)).optional()
}

function documented(field: string): { readonly maxLength: number; readonly description: string } {
  return { maxLength: limitOf(field), description: 'A longer text that is there already may stay' }
}

const disaTexts = {
  vuln_discussion: text('Vulnerability discussion', 'vuln_discussion'),
  false_positives: text('False positives', 'false_positives'),
  false_negatives: text('False negatives', 'false_negatives'),
  documentable: flag.optional(),
  mitigations_available: flag.optional(),
  mitigations: text('Mitigations', 'mitigations'),
  poam_available: flag.optional(),
  poam: text('POA&M', 'poam'),
  severity_override_guidance: text('Severity override guidance', 'severity_override_guidance'),
  potential_impacts: text('Potential impacts', 'potential_impacts'),
  third_party_tools: text('Third party tools', 'third_party_tools'),
  mitigation_control: text('Mitigation control', 'mitigation_control'),
  responsibility: text('Responsibility', 'responsibility'),
  ia_controls: text('IA controls', 'ia_controls'),
}

const ownTexts = {
  title: requiredText('Title', STORED).meta(documented('title')).optional(),
  version: text('Version', 'version'),
  status: z.enum(RULE_STATUSES, 'Status is not one of a rule').optional(),
  rule_severity: z
    .enum(['high', 'medium', 'low', 'unknown', 'info'], 'Severity must be high, medium or low')
    .optional(),
  rule_weight: requiredText('Weight', STORED).meta(documented('rule_weight')).optional(),
  ident: text('Ident', 'ident'),
  ident_system: text('Ident system', 'ident_system'),
  fixtext: text('Fix', 'fixtext'),
  fixtext_fixref: text('Fix reference', 'fixtext_fixref'),
  fix_id: text('Fix id', 'fix_id'),
  status_justification: text('Status justification', 'status_justification'),
  artifact_description: text('Artifact description', 'artifact_description'),
  vendor_comments: text('Vendor comments', 'vendor_comments'),
  inspec_control_body: text('InSpec control body', 'inspec_control_body'),
  inspec_control_body_lang: text('Language of the InSpec control body', 'inspec_control_body_lang'),
  inspec_control_file: text('InSpec control file', 'inspec_control_file'),
  inspec_control_file_lang: text('Language of the InSpec control file', 'inspec_control_file_lang'),
}

/** Columns of a rule that can be edited, as they are stored; what is absent stays. */
export const contentChanges = z.object({ ...ownTexts, ...disaTexts })

export type ContentChanges = z.output<typeof contentChanges>

const part = {
  id: idValue.nullish(),
  _destroy: z.boolean().optional(),
}

const checkChanges = z.object({
  ...part,
  system: text('System of the check', 'system'),
  content_ref_name: text('Name of the content reference', 'content_ref_name'),
  content_ref_href: text('Address of the content reference', 'content_ref_href'),
  content: text('Check', 'content'),
})

export type CheckChanges = z.output<typeof checkChanges>

const descriptionChanges = z.object({ ...part, description: text('Description', 'description') })

export type DescriptionChanges = z.output<typeof descriptionChanges>

const answerChanges = z.object({
  id: idValue.nullish(),
  additional_question_id: idValue.nullish(),
  answer: text('Answer', 'answer'),
  _destroy: z.boolean().optional(),
})

export type AnswerChanges = z.output<typeof answerChanges>

const TOO_MANY = `There are more than ${MAX_PARTS}`

/** What an editor sends of a rule (operations C); what is absent stays as it is. */
export const ruleChanges = z.object({
  ...ownTexts,
  disa_rule_descriptions_attributes: z
    .array(z.object({ ...part, ...disaTexts }))
    .max(1, 'A rule has one description')
    .optional(),
  checks_attributes: z.array(checkChanges).max(MAX_PARTS, TOO_MANY).optional(),
  rule_descriptions_attributes: z.array(descriptionChanges).max(MAX_PARTS, TOO_MANY).optional(),
  additional_answers_attributes: z.array(answerChanges).max(MAX_PARTS, TOO_MANY).optional(),
})

export type RuleChanges = z.output<typeof ruleChanges>

const auditComment = optionalText('Audit comment', { max: 4096 }).optional()

/** A change of a rule with the version that its editor had seen. */
export const ruleEdit = ruleChanges.extend({
  audit_comment: auditComment,
  lock_version: z.int('Lock version must be a whole number').optional(),
})

/** Of a new rule: a blank one, or a copy of another. */
export const newRule = ruleChanges.extend({
  duplicate: z.boolean('Duplicate must be true or false').nullish(),
  id: idValue.nullish(),
  audit_comment: auditComment,
})

export type NewRule = z.output<typeof newRule>
