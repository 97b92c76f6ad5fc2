import { flagOf } from '../../../database/flags.ts'
import { checkOf } from '../component/check.ts'
import type { ExportedComponent, ExportedRule } from '../component/component.ts'
import { discussionOf } from '../component/discussion.ts'
import { benchmarkIdOf, identifiersOf, releaseInfoOf, releaseOf } from '../component/identifiers.ts'
import { rulesOf } from '../component/modes.ts'
import { assessmentOf, CHECKLIST_FIELDS, sortedIdents, uuidFor, uuidOfStig } from './checklist.ts'
import type { ChecklistOptions } from './ckl.ts'

/** A component as a checklist of STIG Viewer 3 (CKLB, JSON), to fill in for a system. */
export function* cklbPieces(exported: ExportedComponent, { mode, date }: ChecklistOptions): Generator<string, void> {
  const rules = rulesOf(exported.rules, mode)
  const { title, name, id } = exported.component
  const head = {
    title: name,
    id: uuidFor('checklist', id),
    active: true,
    mode: 1,
    has_path: false,
    target_data: targetOf(name),
  }
  const stig = {
    stig_name: title,
    display_name: title,
    stig_id: benchmarkIdOf(exported),
    version: releaseOf(exported).version,
    release_info: releaseInfoOf(exported, date),
    uuid: uuidOfStig(exported),
    reference_identifier: '',
    size: rules.length,
  }
  yield `${opened(head)},"stigs":[${opened(stig)},"rules":[`
  for (const [index, rule] of rules.entries())
    yield `${index === 0 ? '' : ','}${JSON.stringify(ruleOf(rule, stig.uuid))}`
  yield ']}]}\n'
}

/** An object as JSON, without its closing brace. */
function opened(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}

function targetOf(name: string): object {
  return {
    target_type: 'Computing',
    host_name: name,
    ip_address: '',
    mac_address: '',
    fqdn: '',
    comments: '',
    role: 'None',
    is_web_database: false,
    technology_area: '',
    web_db_site: '',
    web_db_instance: '',
    classification: null,
  }
}

const STATUSES = {
  Not_Reviewed: 'not_reviewed',
  NotAFinding: 'not_a_finding',
  Open: 'open',
  Not_Applicable: 'not_applicable',
} as const

function ruleOf(rule: ExportedRule, stigUuid: string): object {
  const named = identifiersOf(rule)
  const { legacy, ccis } = sortedIdents(rule)
  const { status, findingDetails, comments } = assessmentOf(rule)
  const title = named.requirement ?? ''
  const description = '<GroupDescription></GroupDescription>'
  return {
    uuid: uuidFor('rule', rule.id),
    stig_uuid: stigUuid,
    target_key: null,
    stig_ref: null,
    group_id: named.group,
    group_id_src: named.group,
    rule_id: named.rule,
    rule_id_src: named.rule,
    rule_version: named.version,
    weight: rule.rule_weight,
    classification: 'Unclassified',
    severity: rule.rule_severity,
    group_title: title,
    rule_title: rule.title,
    ...textsOf(rule),
    discussion: discussionOf(rule),
    check_content: checkOf(rule),
    documentable: flagOf(rule.documentable)?.toString() ?? '',
    check_content_ref: { href: '', name: 'M' },
    legacy_ids: legacy,
    ccis,
    group_tree: [{ id: named.group, title, description }],
    createdAt: rule.created_at,
    updatedAt: rule.updated_at,
    STIGUuid: stigUuid,
    status: STATUSES[status],
    overrides: {},
    comments,
    finding_details: findingDetails,
  }
}

const TEXTS = CHECKLIST_FIELDS.filter((field) => field.cklb !== null)

function textsOf(rule: ExportedRule): Readonly<Record<string, string>> {
  return Object.fromEntries(TEXTS.map(({ name, cklb }) => [cklb, rule[name] ?? '']))
}
