import { openObject } from '../../../platform/json.ts'
import { CHECKLIST_FIELDS, type Checklist, type ChecklistRule } from './checklist.ts'

/** A checklist for STIG Viewer 3 (CKLB, JSON). */
export function* cklbPieces({ id, hostName, targetKey, stig, note, ...checklist }: Checklist): Generator<string, void> {
  const head = {
    title: hostName,
    id,
    active: true,
    mode: 1,
    has_path: false,
    target_data: targetOf(hostName),
    ...(note !== null && { [note.name]: note.value }),
  }
  const stigHead = {
    stig_name: stig.title,
    display_name: stig.title,
    stig_id: stig.benchmarkId,
    version: stig.version,
    release_info: stig.releaseInfo,
    uuid: stig.uuid,
    reference_identifier: targetKey,
    size: checklist.ruleCount,
  }
  yield `${openObject(head)},"stigs":[${openObject(stigHead)},"rules":[`
  let separator = ''
  for (const rule of checklist.rules) {
    yield `${separator}${JSON.stringify(ruleOf(rule, stig.uuid))}`
    separator = ','
  }
  yield ']}]}\n'
}

function targetOf(hostName: string): object {
  return {
    target_type: 'Computing',
    host_name: hostName,
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

function ruleOf(rule: ChecklistRule, stigUuid: string): object {
  const { status, findingDetails, comments } = rule.assessment
  const title = rule.groupTitle ?? ''
  const description = '<GroupDescription></GroupDescription>'
  return {
    uuid: rule.uuid,
    stig_uuid: stigUuid,
    target_key: null,
    stig_ref: null,
    group_id: rule.groupId,
    group_id_src: rule.groupId,
    // STIG Viewer writes the id without its ending here.
    rule_id: rule.ruleId.replace(/_rule$/, ''),
    rule_id_src: rule.ruleId,
    rule_version: rule.version ?? '',
    weight: rule.weight,
    classification: 'Unclassified',
    severity: rule.severity,
    group_title: title,
    rule_title: rule.title,
    ...textsOf(rule),
    discussion: rule.discussion ?? '',
    check_content: rule.check,
    documentable: rule.fields.documentable ?? '',
    check_content_ref: { href: rule.checkReference.href, name: rule.checkReference.name },
    legacy_ids: rule.legacyIds,
    ccis: rule.ccis,
    group_tree: [{ id: rule.groupId, title, description }],
    createdAt: rule.createdAt,
    updatedAt: rule.updatedAt,
    STIGUuid: stigUuid,
    status: STATUSES[status],
    overrides: {},
    comments,
    finding_details: findingDetails,
  }
}

const TEXTS = CHECKLIST_FIELDS.filter((field) => field.cklb !== null)

function textsOf({ fields }: ChecklistRule): Readonly<Record<string, string>> {
  return Object.fromEntries(TEXTS.map(({ name, cklb }) => [cklb, fields[name] ?? '']))
}
