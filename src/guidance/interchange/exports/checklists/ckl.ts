import type { Mode } from '../../../../tables/export-formats.ts'
import { checkOf } from '../component/check.ts'
import type { ExportedComponent, ExportedRule } from '../component/component.ts'
import { discussionOf, textOf } from '../component/discussion.ts'
import { benchmarkIdOf, identifiersOf, releaseInfoOf, releaseOf } from '../component/identifiers.ts'
import { rulesOf } from '../component/modes.ts'
import { element, textElement } from '../xccdf/xml.ts'
import { assessmentOf, CHECKLIST_FIELDS, sortedIdents, uuidOfStig } from './checklist.ts'

export interface ChecklistOptions {
  readonly mode: Mode
  /** The date of the release. */
  readonly date: Date
}

/** A component as a checklist of STIG Viewer 2 (CKL, XML), to fill in for a system. */
export function* cklPieces(exported: ExportedComponent, options: ChecklistOptions): Generator<string, void> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<CHECKLIST>'
  yield assetOf(exported)
  yield '<STIGS><iSTIG>'
  const info = stigInfoOf(exported, options.date)
  const data = Object.entries(info).map(([name, value]) =>
    element('SI_DATA', {}, textElement('SID_NAME', name), textElement('SID_DATA', value)),
  )
  yield element('STIG_INFO', {}, ...data)
  const { component } = exported
  const reference = `${component.title} :: Version ${info.version}, ${info.releaseinfo}`
  const shared = { reference, uuid: info.uuid }
  for (const rule of rulesOf(exported.rules, options.mode)) yield vulnerabilityOf(rule, shared)
  yield '</iSTIG></STIGS></CHECKLIST>\n'
}

/** The system is not known yet, but programs that import a checklist need a name for it. */
function assetOf({ component }: ExportedComponent): string {
  const values = {
    ROLE: 'None',
    ASSET_TYPE: 'Computing',
    MARKING: '',
    HOST_NAME: component.name,
    HOST_IP: '',
    HOST_MAC: '',
    HOST_FQDN: '',
    TARGET_COMMENT: '',
    TECH_AREA: '',
    TARGET_KEY: '',
    WEB_OR_DATABASE: 'false',
    WEB_DB_SITE: '',
    WEB_DB_INSTANCE: '',
  }
  return element('ASSET', {}, ...Object.entries(values).map((entry) => textElement(...entry)))
}

interface StigInfo extends Readonly<Record<string, string>> {
  readonly version: string
  readonly releaseinfo: string
  readonly uuid: string
}

function stigInfoOf(exported: ExportedComponent, date: Date): StigInfo {
  const { title, description } = exported.component
  const id = benchmarkIdOf(exported)
  return {
    version: String(releaseOf(exported).version),
    classification: '',
    customname: '',
    stigid: id,
    description: description ?? title,
    filename: `${id}-xccdf.xml`,
    releaseinfo: releaseInfoOf(exported, date),
    title,
    uuid: uuidOfStig(exported),
    notice: 'terms-of-use',
    source: '',
  }
}

interface StigReference {
  readonly reference: string
  readonly uuid: string
}

function vulnerabilityOf(rule: ExportedRule, shared: StigReference): string {
  const { status, findingDetails, comments } = assessmentOf(rule)
  return element(
    'VULN',
    {},
    ...attributesOf(rule, shared).map(([name, value]) =>
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
function attributesOf(rule: ExportedRule, { reference, uuid }: StigReference): readonly Attribute[] {
  const named = identifiersOf(rule)
  const { legacy, ccis } = sortedIdents(rule)
  return [
    ['Vuln_Num', named.group],
    ['Severity', rule.rule_severity],
    ['Group_Title', named.requirement],
    ['Rule_ID', named.rule],
    ['Rule_Ver', named.version],
    ['Rule_Title', rule.title],
    ['Vuln_Discuss', discussionOf(rule)],
    ['IA_Controls', rule.ia_controls],
    ['Check_Content', checkOf(rule)],
    ...ATTRIBUTES.map((field): Attribute => [field.ckl, textOf(rule, field)]),
    ['Check_Content_Ref', 'M'],
    ['Weight', rule.rule_weight],
    ['Class', 'Unclass'],
    ['STIGRef', reference],
    ['TargetKey', ''],
    ['STIG_UUID', uuid],
    ...legacy.map((value): Attribute => ['LEGACY_ID', value]),
    ...ccis.map((value): Attribute => ['CCI_REF', value]),
  ]
}
