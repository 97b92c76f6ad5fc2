import type { Selectable } from 'kysely'
import { z } from 'zod'
import { pick, recordOf } from '../../../platform/records.ts'
import { CHECK_COLUMNS, DESCRIPTION_TEXTS, FLAGS } from '../../../tables/field-lists.ts'
import { nistControlsOf } from '../../catalogue/benchmarks/nist-controls.ts'
import { flagOf } from '../../database/flags.ts'
import { displayedName, ruleIdOf } from '../../database/rule-names.ts'
import type { RulesTable } from '../../database/schema/rules.ts'
import type { AuthoredRule, LinkedRule, RuleHead } from './reader.ts'
import { VIEWER_COLUMNS, type ruleBase, type RuleView } from './schemas.ts'

const lockedFields = z.record(z.string(), z.literal(true))

/** Lists all members, because spreading an object takes a hundred times as long, and lists are long. */
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

/** Shapes a rule for viewers. */
export function shapeView(rule: AuthoredRule): RuleView {
  const viewFields = {
    updated_at: rule.updated_at,
    locked_fields: lockedFieldsOf(rule),
    nist_control_family: nistOf(rule),
    srg_id: rule.version,
    disa_rule_descriptions_attributes: [shapeDescription(rule)],
    checks_attributes: rule.checks.map(shapeCheck),
  }
  return Object.assign(shapeBase(rule), pick(rule, VIEWER_COLUMNS), viewFields, shapeOfKind(rule))
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

type Check = RuleView['checks_attributes'][number]

const NO_CHECK: Check = { id: 0, ...recordOf(CHECK_COLUMNS, () => null), _destroy: false }

function shapeCheck(check: AuthoredRule['checks'][number]): Check {
  const shaped = { ...NO_CHECK, id: check.id }
  for (const name of CHECK_COLUMNS) shaped[name] = check[name]
  return shaped
}

export function shapeTexts({ descriptions }: AuthoredRule): NonNullable<RuleView['rule_descriptions_attributes']> {
  return descriptions.map(({ id, description }) => ({ id, description, _destroy: false }))
}

export function lockedFieldsOf({ locked_fields }: Pick<AuthoredRule, 'locked_fields'>): Readonly<Record<string, true>> {
  return locked_fields === '{}' ? {} : lockedFields.parse(JSON.parse(locked_fields))
}

/** NIST SP 800-53 controls of the CCIs: `AC-2 (1), CM-6 b`; null if none is known. */
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

type Description = RuleView['disa_rule_descriptions_attributes'][number]

const NO_DESCRIPTION: Description = {
  id: 0,
  ...recordOf(DESCRIPTION_TEXTS, () => null),
  ...recordOf(FLAGS, () => null),
  _destroy: false,
}

/** Shapes the description, which is stored in the rule's own record and has its id: texts, then booleans. */
function shapeDescription(rule: Selectable<RulesTable>): Description {
  // A copy is several times as fast as filling an empty object, and lists are long.
  const shaped = { ...NO_DESCRIPTION, id: rule.id }
  for (const name of DESCRIPTION_TEXTS) shaped[name] = rule[name]
  for (const name of FLAGS) shaped[name] = flagOf(rule[name])
  return shaped
}
