import { SEVERITIES } from '../../../../tables/severities.ts'
import { CHECKLIST_FIELDS } from '../../../catalogue/checklists/checklist.ts'
import { parseXml, type XmlElement, type XmlHandler } from '../../../catalogue/files/xml.ts'
import type { FieldValue, MergedField } from '../planning/fields.ts'
import type { FileRule } from './merge-file.ts'

/** Reads the texts of rules from a checklist for STIG Viewer 2, without the results. */
export function readCkl(pieces: Iterable<string>): readonly FileRule[] {
  const handler = new ChecklistHandler()
  parseXml(pieces, handler)
  return handler.rules.map(ruleOf)
}

/** Collects the values of each rule (`VULN`) by name. */
class ChecklistHandler implements XmlHandler {
  readonly rules: Map<string, string>[] = []
  readonly #open: string[] = []
  #name = ''
  #text: string[] = []

  open({ local }: XmlElement): void {
    this.#open.push(local)
    if (local === 'VULN') this.rules.push(new Map())
    if (local === 'STIG_DATA') this.#name = ''
    this.#text = []
  }

  text(text: string): void {
    const element = this.#open.at(-1)
    if (element === 'VULN_ATTRIBUTE' || element === 'ATTRIBUTE_DATA') this.#text.push(text)
  }

  close(): void {
    const element = this.#open.pop()
    const text = this.#text.join('')
    if (element === 'VULN_ATTRIBUTE') this.#name = text.trim()
    if (element === 'ATTRIBUTE_DATA' && this.#open.includes('VULN')) this.rules.at(-1)?.set(this.#name, text)
    this.#text = []
  }
}

const NAMES: readonly (readonly [string, MergedField])[] = [
  ['Rule_Title', 'title'],
  ['Vuln_Discuss', 'vuln_discussion'],
  ['Check_Content', 'check_content'],
  ['Weight', 'rule_weight'],
  ...CHECKLIST_FIELDS.map(({ ckl, name }) => [ckl, name] as const),
]

function ruleOf(attributes: ReadonlyMap<string, string>): FileRule {
  const statedValues = NAMES.flatMap(([attribute, field]) => {
    const text = attributes.get(attribute)
    return text === undefined ? [] : [[field, text] as const]
  })
  const severity = attributes.get('Severity') ?? ''
  const stigId = attributes.get('Rule_Ver')?.trim() ?? ''
  const place = stigId || (attributes.get('Vuln_Num')?.trim() ?? '')
  const srgId = attributes.get('Group_Title')?.trim() ?? ''
  return { place, srgId, stigId, values: checklistValues(statedValues, severity) }
}

/** The values of fields in a checklist, which has only texts. */
export function checklistValues(
  statedValues: readonly (readonly [MergedField, string])[],
  severity: string,
): FileRule['values'] {
  const values: Partial<Record<MergedField, FieldValue>> = {}
  for (const [field, text] of statedValues) values[field] = field === 'documentable' ? flagIn(text) : text || null
  if (values.title === null) delete values.title
  if (values.rule_weight === null) delete values.rule_weight
  const ruleSeverity = SEVERITIES.find((candidate) => candidate === severity.trim().toLowerCase())
  return ruleSeverity === undefined ? values : { ...values, rule_severity: ruleSeverity }
}

function flagIn(text: string): boolean | null {
  const word = text.trim().toLowerCase()
  return word === 'true' || (word === 'false' ? false : null)
}
