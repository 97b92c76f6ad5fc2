import { recordOf } from '../../../../platform/records.ts'
import { stableUuid } from '../../../../platform/stable-uuid.ts'
import type { Mode } from '../../../../tables/export-formats.ts'
import { namesOf } from '../../../../tables/field-lists.ts'
import { joinChecks } from '../../../authoring/rules/join-checks.ts'
import { LEGACY } from '../../../catalogue/benchmarks/shape.ts'
import {
  CHECKLIST_FIELDS,
  type Assessment,
  type Checklist,
  type ChecklistField,
  type ChecklistRule,
} from '../../../catalogue/checklists/checklist.ts'
import { flagOf } from '../../../database/flags.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { ExportedComponent, ExportedRule } from '../component/component.ts'
import { discussionOf } from '../component/discussion.ts'
import { benchmarkIdOf, identifiersOf, identsOf, releaseInfoOf, releaseOf } from '../component/identifiers.ts'
import { rulesOf } from '../component/rules-of-mode.ts'
import { SNAPSHOT } from '../component/snapshot.ts'

export interface ChecklistOptions {
  readonly mode: Mode
  /** The date of the release. */
  readonly date: Date
  /** The digest of the component's rules. */
  readonly snapshot?: string
}

/** Writes a component as an empty checklist for a system. */
export function componentChecklist(exported: ExportedComponent, { mode, date, snapshot }: ChecklistOptions): Checklist {
  const { id, name, title, description, version, release } = exported.component
  const rules = rulesOf(exported.rules, mode)
  return {
    id: uuidFor('checklist', id),
    note: snapshot === undefined ? null : { name: SNAPSHOT, value: snapshot },
    hostName: name,
    targetKey: '',
    stig: {
      uuid: uuidFor('component', id, version ?? 0, release ?? 0),
      benchmarkId: benchmarkIdOf(exported),
      title,
      description,
      version: releaseOf(exported).version,
      releaseInfo: releaseInfoOf(exported, date),
      source: null,
    },
    ruleCount: rules.length,
    rules: rules.map(ruleOf),
  }
}

function uuidFor(...names: readonly (string | number)[]): string {
  return stableUuid(JSON.stringify(names))
}

function ruleOf(rule: ExportedRule): ChecklistRule {
  const identifiers = identifiersOf(rule)
  const idents = identsOf(rule)
  return {
    uuid: uuidFor('rule', rule.id),
    groupId: identifiers.group,
    groupTitle: identifiers.requirement,
    ruleId: identifiers.rule,
    version: identifiers.version,
    severity: rule.rule_severity,
    weight: rule.rule_weight,
    title: rule.title,
    discussion: discussionOf(rule),
    check: joinChecks(rule),
    checkReference: { name: 'M', href: '' },
    fields: fieldsOf(rule),
    legacyIds: idents.filter(({ system }) => system === LEGACY).map(({ value }) => value),
    ccis: idents.map(({ value }) => value).filter((value) => value.startsWith('CCI-')),
    assessment: assessmentOf(rule),
    createdAt: rule.created_at,
    updatedAt: rule.updated_at,
  }
}

const FIELD_NAMES = namesOf(CHECKLIST_FIELDS)

function fieldsOf(rule: ExportedRule): Readonly<Record<ChecklistField, string | null>> {
  return recordOf(FIELD_NAMES, (name) =>
    name === 'documentable' ? (flagOf(rule[name])?.toString() ?? '') : rule[name],
  )
}

const ASSESSED: Readonly<Record<ExportedRule['status'], Assessment['status']>> = {
  'Not Yet Determined': 'Not_Reviewed',
  'Applicable - Configurable': 'Not_Reviewed',
  'Applicable - Inherently Meets': 'NotAFinding',
  'Applicable - Does Not Meet': 'Open',
  Applicable: 'Not_Reviewed',
  'Not Applicable': 'Not_Applicable',
}

/**
 * Configurable rules must be reviewed on each system. Others have the same answer on all systems. A satisfied rule is
 * met where the satisfying rule is, although its own status says that it is not.
 */
function assessmentOf(rule: ExportedRule): Assessment {
  const status = rule.satisfiedBy.length > 0 ? 'Not_Reviewed' : ASSESSED[rule.status]
  const isAnswered = status !== 'Not_Reviewed'
  return {
    status,
    findingDetails: isAnswered ? lines(rule.status_justification, rule.artifact_description) : '',
    comments: lines(rule.vendor_comments, satisfiersOf(rule)),
  }
}

function satisfiersOf({ satisfiedBy }: ExportedRule): string | null {
  const names = satisfiedBy.map(({ prefix, number }) => displayedName(prefix, number))
  return names.length === 0 ? null : `Satisfied by ${names.join(', ')}.`
}

function lines(...texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null && text !== '').join('\n\n')
}
