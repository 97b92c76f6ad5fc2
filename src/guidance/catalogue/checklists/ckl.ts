import { element, textElement } from '../../../platform/xml.ts'
import { CHECKLIST_FIELDS, type Checklist, type ChecklistRule } from './checklist.ts'

/** A checklist for STIG Viewer 2 (CKL, XML). */
export function* cklPieces(checklist: Checklist): Generator<string, void> {
  const { note } = checklist
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (note !== null) yield `<!-- ${note.name}: ${note.value} -->\n`
  yield '<CHECKLIST>'
  yield assetOf(checklist)
  yield '<STIGS><iSTIG>'
  const data = Object.entries(stigInfoOf(checklist)).map(([name, value]) =>
    element('SI_DATA', {}, textElement('SID_NAME', name), textElement('SID_DATA', value)),
  )
  yield element('STIG_INFO', {}, ...data)
  for (const rule of checklist.rules) yield vulnerabilityOf(rule, checklist)
  yield '</iSTIG></STIGS></CHECKLIST>\n'
}

function assetOf({ hostName, targetKey }: Checklist): string {
  const values = {
    ROLE: 'None',
    ASSET_TYPE: 'Computing',
    MARKING: '',
    HOST_NAME: hostName,
    HOST_IP: '',
    HOST_MAC: '',
    HOST_FQDN: '',
    TARGET_COMMENT: '',
    TECH_AREA: '',
    TARGET_KEY: targetKey,
    WEB_OR_DATABASE: 'false',
    WEB_DB_SITE: '',
    WEB_DB_INSTANCE: '',
  }
  return element('ASSET', {}, ...Object.entries(values).map((entry) => textElement(...entry)))
}

function stigInfoOf({ stig }: Checklist): Readonly<Record<string, string>> {
  return {
    version: String(stig.version),
    classification: '',
    customname: '',
    stigid: stig.benchmarkId,
    description: stig.description ?? stig.title,
    filename: `${stig.benchmarkId}-xccdf.xml`,
    releaseinfo: stig.releaseInfo,
    title: stig.title,
    uuid: stig.uuid,
    notice: 'terms-of-use',
    source: stig.source ?? '',
  }
}

function vulnerabilityOf(rule: ChecklistRule, checklist: Checklist): string {
  const { status, findingDetails, comments } = rule.assessment
  return element(
    'VULN',
    {},
    ...attributesOf(rule, checklist).map(([name, value]) =>
      element('STIG_DATA', {}, textElement('VULN_ATTRIBUTE', name), textElement('ATTRIBUTE_DATA', value)),
    ),
    textElement('STATUS', status),
    textElement('FINDING_DETAILS', findingDetails),
    textElement('COMMENTS', comments),
    textElement('SEVERITY_OVERRIDE', ''),
    textElement('SEVERITY_JUSTIFICATION', ''),
  )
}

type Attribute = readonly [string, string | null]

/** Attributes after the check; `IA_Controls` comes before it. */
const ATTRIBUTES = CHECKLIST_FIELDS.filter((field) => field.ckl !== 'IA_Controls')

/** In STIG Viewer's order. */
function attributesOf(rule: ChecklistRule, { stig, targetKey }: Checklist): readonly Attribute[] {
  return [
    ['Vuln_Num', rule.groupId],
    ['Severity', rule.severity],
    ['Group_Title', rule.groupTitle],
    ['Rule_ID', rule.ruleId],
    ['Rule_Ver', rule.version],
    ['Rule_Title', rule.title],
    ['Vuln_Discuss', rule.discussion],
    ['IA_Controls', rule.fields.ia_controls],
    ['Check_Content', rule.check],
    ...ATTRIBUTES.map((field): Attribute => [field.ckl, rule.fields[field.name]]),
    ['Check_Content_Ref', rule.checkReference.name],
    ['Weight', rule.weight],
    ['Class', 'Unclass'],
    ['STIGRef', `${stig.title} :: Version ${stig.version}, ${stig.releaseInfo}`],
    ['TargetKey', targetKey],
    ['STIG_UUID', stig.uuid],
    ...rule.legacyIds.map((value): Attribute => ['LEGACY_ID', value]),
    ...rule.ccis.map((value): Attribute => ['CCI_REF', value]),
  ]
}
