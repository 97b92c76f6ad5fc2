import type { Selectable } from 'kysely'
import type { AuthoredRule } from '../../../authoring/rules/reader.ts'
import { lockedFieldsOf } from '../../../authoring/rules/shape.ts'
import { ruleIdOf } from '../../../database/rule-names.ts'
import type { RulesTable } from '../../../database/schema/rules.ts'
import type { RuleRecord } from './schemas.ts'

/** A rule's own columns that an archive has under the same name. */
const COLUMNS = [
  ...(['version', 'minted_id', 'title', 'status', 'rule_severity', 'rule_weight'] as const),
  ...(['vuln_id', 'legacy_ids', 'ident', 'ident_system', 'fixtext', 'fixtext_fixref'] as const),
  ...(['fix_id', 'status_justification', 'artifact_description', 'vendor_comments'] as const),
  ...(['inspec_control_body', 'inspec_control_body_lang', 'inspec_control_file'] as const),
  ...(['inspec_control_file_lang', 'created_at', 'updated_at'] as const),
]

/** Those of its description. */
const TEXTS = [
  ...(['vuln_discussion', 'false_positives', 'false_negatives', 'mitigations', 'poam'] as const),
  ...(['severity_override_guidance', 'potential_impacts', 'third_party_tools'] as const),
  ...(['mitigation_control', 'responsibility', 'ia_controls'] as const),
]

const FLAGS = ['documentable', 'mitigations_available', 'poam_available'] as const

/** A requirement elsewhere: its id, that of its SRG, and that of its rule, for two may have one id. */
export interface Lineage {
  readonly version: string | null
  readonly srg_id: string
  readonly rule_id: string
}

/** What a rule's numbers mean elsewhere. */
export interface Context {
  /** The requirement that it was made from. */
  readonly source: Lineage | undefined
  /** By the number of the record. */
  readonly questions: ReadonlyMap<number, string>
}

/** A rule as an archive has it: without numbers of records, which mean nothing elsewhere. */
export function shapeRule(rule: AuthoredRule, { source, questions }: Context): object {
  const lineage = rule.document_type === 'stig' ? 'srg_rule' : 'derived_from_srg_rule'
  return {
    rule_id: ruleIdOf(rule.number),
    ...pick(rule, COLUMNS),
    locked: rule.locked === 1,
    locked_fields: lockedFieldsOf(rule),
    changes_requested: rule.changes_requested === 1,
    deleted_at: null,
    [`${lineage}_version`]: source?.version ?? null,
    [`${lineage}_srg_id`]: source?.srg_id ?? null,
    [`${lineage}_rule_id`]: source?.rule_id ?? null,
    disa_rule_descriptions: [{ ...pick(rule, TEXTS), ...flagsOf(rule) }],
    checks: rule.checks.map((check) =>
      pick(check, ['system', 'content_ref_name', 'content_ref_href', 'content']),
    ),
    rule_descriptions: rule.descriptions.map(({ description }) => ({ description })),
    references: [],
    additional_answers: rule.answers.flatMap(({ additional_question_id, answer }) => {
      const question_name = questions.get(additional_question_id)
      return question_name === undefined ? [] : [{ question_name, answer }]
    }),
  }
}

function pick<T extends object>(record: T, names: readonly (keyof T)[]): object {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

function flagsOf(rule: Pick<RulesTable, (typeof FLAGS)[number]>): object {
  return Object.fromEntries(
    FLAGS.map((name) => [name, rule[name] === null ? null : rule[name] === 1]),
  )
}

type Row = Omit<
  Selectable<RulesTable>,
  'id' | 'component_id' | 'number' | 'srg_rule_id' | 'lock_version' | 'review_requestor_id'
>

/** The columns of a rule that comes from an archive. */
export function rowOf(record: RuleRecord, now: string): Row {
  const { version, minted_id, title, status, rule_severity, rule_weight, vuln_id } = record
  const { legacy_ids, ident, ident_system, fixtext, fixtext_fixref, fix_id } = record
  const { status_justification, artifact_description, vendor_comments, deleted_at } = record
  const { inspec_control_body, inspec_control_body_lang } = record
  const { inspec_control_file, inspec_control_file_lang } = record
  const [{ documentable, mitigations_available, poam_available, ...texts } = NOTHING] =
    record.disa_rule_descriptions
  return {
    ...{ version, minted_id, status, rule_severity, rule_weight, vuln_id, legacy_ids, ident },
    ...{ ident_system, fixtext, fixtext_fixref, fix_id, status_justification, deleted_at },
    ...{ artifact_description, vendor_comments, inspec_control_body, inspec_control_body_lang },
    ...{ inspec_control_file, inspec_control_file_lang, ...texts },
    title: title ?? '',
    documentable: numberOf(documentable),
    mitigations_available: numberOf(mitigations_available),
    poam_available: numberOf(poam_available),
    locked: Number(record.locked),
    locked_fields: JSON.stringify(record.locked_fields),
    changes_requested: Number(record.changes_requested && !record.locked),
    created_at: record.created_at ?? now,
    updated_at: record.updated_at ?? now,
  }
}

function numberOf(flag: boolean | null): number | null {
  return flag === null ? null : Number(flag)
}

const NOTHING: RuleRecord['disa_rule_descriptions'][number] = {
  ...{ vuln_discussion: null, false_positives: null, false_negatives: null, documentable: null },
  ...{ mitigations_available: null, mitigations: null, poam_available: null, poam: null },
  ...{ severity_override_guidance: null, potential_impacts: null, third_party_tools: null },
  ...{ mitigation_control: null, responsibility: null, ia_controls: null },
}
