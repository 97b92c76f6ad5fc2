import type { Selectable } from 'kysely'
import { pick, recordOf } from '../../../../platform/records.ts'
import { CHECK_COLUMNS, DESCRIPTION_FIELDS, DESCRIPTION_TEXTS, FLAGS, namesOf } from '../../../../tables/field-lists.ts'
import { adviceOffOf } from '../../../authoring/advice/disabled-advice.ts'
import { isWeight, USUAL_WEIGHT } from '../../../authoring/rule-editing/content.ts'
import type { AuthoredRule } from '../../../authoring/rules/reader.ts'
import { lockedFieldsOf } from '../../../authoring/rules/shape.ts'
import { flagOf, numberOf } from '../../../database/flags.ts'
import { ruleIdOf } from '../../../database/rule-names.ts'
import type { RulesTable } from '../../../database/schema/rules.ts'
import { COLUMNS, type RuleRecord } from './schemas.ts'

/** Identifies a requirement by its id, its SRG and its rule id, because two requirements may share an id. */
export interface Lineage {
  readonly version: string | null
  readonly srg_id: string
  readonly rule_id: string
}

/** Records to which a rule refers by id. */
export interface RuleReferences {
  /** The requirement from which it was made. */
  readonly source: Lineage | undefined
  /** Names of questions by record id. */
  readonly questions: ReadonlyMap<number, string>
}

/** Shapes a rule for an archive, without record ids, which have no meaning in other databases. */
export function shapeRule(rule: AuthoredRule, { source, questions }: RuleReferences): object {
  const lineage = rule.document_type === 'stig' ? 'srg_rule' : 'derived_from_srg_rule'
  return {
    rule_id: ruleIdOf(rule.number),
    ...pick(rule, [...COLUMNS, 'created_at', 'updated_at']),
    locked: rule.locked === 1,
    locked_fields: lockedFieldsOf(rule),
    advice_off: adviceOffOf(rule),
    changes_requested: rule.changes_requested === 1,
    deleted_at: null,
    [`${lineage}_version`]: source?.version ?? null,
    [`${lineage}_srg_id`]: source?.srg_id ?? null,
    [`${lineage}_rule_id`]: source?.rule_id ?? null,
    disa_rule_descriptions: [describeRule(rule)],
    checks: rule.checks.map((check) => pick(check, CHECK_COLUMNS)),
    rule_descriptions: rule.descriptions.map(({ description }) => ({ description })),
    references: [],
    additional_answers: rule.answers.flatMap(({ additional_question_id, answer }) => {
      const question_name = questions.get(additional_question_id)
      return question_name === undefined ? [] : [{ question_name, answer }]
    }),
  }
}

function describeRule(rule: AuthoredRule): object {
  return {
    ...pick(rule, DESCRIPTION_TEXTS),
    ...recordOf(FLAGS, (name) => flagOf(rule[name])),
  }
}

type RuleColumns = Omit<
  Selectable<RulesTable>,
  'id' | 'component_id' | 'number' | 'srg_rule_id' | 'lock_version' | 'review_requestor_id'
>

/** Shapes an archived rule as columns. */
export function rowOf(record: RuleRecord, now: string): RuleColumns {
  const [description = NO_DESCRIPTION] = record.disa_rule_descriptions
  return {
    ...pick(record, [...COLUMNS, 'deleted_at']),
    ...pick(description, DESCRIPTION_TEXTS),
    ...recordOf(FLAGS, (name) => numberOf(description[name])),
    title: record.title ?? '',
    rule_weight: isWeight(record.rule_weight) ? record.rule_weight : USUAL_WEIGHT,
    locked: Number(record.locked),
    locked_fields: JSON.stringify(record.locked_fields),
    advice_off: JSON.stringify(record.advice_off),
    changes_requested: Number(record.changes_requested && !record.locked),
    created_at: record.created_at ?? now,
    updated_at: record.updated_at ?? now,
  }
}

const NO_DESCRIPTION: RuleRecord['disa_rule_descriptions'][number] = recordOf(namesOf(DESCRIPTION_FIELDS), () => null)
