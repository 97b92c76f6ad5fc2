import { element, startTag, textElement, type Attributes } from '../../../../platform/xml.ts'
import type { Mode } from '../../../../tables/export-formats.ts'
import { ELEMENT_FIELDS } from '../../../../tables/field-lists.ts'
import { joinChecks } from '../../../authoring/rules/join-checks.ts'
import { longId } from '../../../catalogue/xccdf/id.ts'
import type { ExportedComponent, ExportedRule } from '../component/component.ts'
import { descriptionOf, textOf } from '../component/discussion.ts'
import { benchmarkIdOf, identifiersOf, identsOf, releaseInfoOf, releaseOf } from '../component/identifiers.ts'
import { rulesOf } from '../component/rules-of-mode.ts'
import { SNAPSHOT } from '../component/snapshot.ts'

export interface XccdfOptions {
  readonly version: '1.1' | '1.2'
  readonly mode: Mode
  /** The date of the status and of the release. */
  readonly date: Date
  /** The digest of the component's rules; absent in published documents. */
  readonly snapshot?: string
}

/**
 * Writes a component as an XCCDF benchmark in DISA's form, in pieces: the head, each group, the end. The groups have
 * the order in which the rules were made.
 */
export function* xccdfPieces(exported: ExportedComponent, options: XccdfOptions): Generator<string, void> {
  const ids = options.version === '1.1' ? (_kind: Kind, id: string) => id : longId
  const rules = rulesOf(exported.rules, options.mode).toSorted((a, b) => a.id - b.id)
  yield* headOf(exported, options, ids)
  if (exported.component.document_type === 'srg') yield profilesOf(rules, ids)
  for (const rule of rules) yield groupOf(rule, exported, ids)
  yield '</Benchmark>\n'
}

type Kind = 'benchmark' | 'profile' | 'group' | 'rule'
type Ids = (kind: Kind, id: string) => string

const NAMESPACES: Attributes = {
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
  'xmlns:cpe': 'http://cpe.mitre.org/language/2.0',
  'xmlns:xhtml': 'http://www.w3.org/1999/xhtml',
  'xmlns:dsig': 'http://www.w3.org/2000/09/xmldsig#',
}

const SCHEMAS: Readonly<Record<XccdfOptions['version'], Attributes>> = {
  '1.1': {
    xmlns: 'http://checklists.nist.gov/xccdf/1.1',
    'xsi:schemaLocation': 'http://checklists.nist.gov/xccdf/1.1 http://nvd.nist.gov/schema/xccdf-1.1.4.xsd',
  },
  '1.2': {
    xmlns: 'http://checklists.nist.gov/xccdf/1.2',
    'xsi:schemaLocation': 'http://checklists.nist.gov/xccdf/1.2 http://scap.nist.gov/schema/xccdf/1.2/xccdf_1.2.xsd',
  },
}

const ENGLISH: Attributes = { 'xml:lang': 'en' }

function* headOf(
  exported: ExportedComponent,
  { version, date, snapshot }: XccdfOptions,
  ids: Ids,
): Generator<string, void> {
  const { title, description } = exported.component
  const id = ids('benchmark', benchmarkIdOf(exported))
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield "<?xml-stylesheet type='text/xsl' href='STIG_unclass.xsl'?>\n"
  if (snapshot !== undefined) yield `<!-- ${SNAPSHOT}: ${snapshot} -->\n`
  yield startTag('Benchmark', { ...NAMESPACES, ...SCHEMAS[version], id, ...ENGLISH })
  yield textElement('status', 'draft', { date: date.toISOString().slice(0, 10) })
  yield textElement('title', title)
  yield textElement('description', description ?? title)
  yield textElement('notice', '', { id: 'terms-of-use', ...ENGLISH })
  yield textElement('front-matter', '', ENGLISH)
  yield textElement('rear-matter', '', ENGLISH)
  const naming = [textElement('dc:publisher', ''), textElement('dc:source', '')]
  yield element('reference', { href: '' }, ...naming)
  yield textElement('plain-text', releaseInfoOf(exported, date), { id: 'release-info' })
  yield textElement('plain-text', '3.2.2.36079', { id: 'generator' })
  yield textElement('plain-text', '1.10.0', { id: 'conventionsVersion' })
  yield textElement('version', String(releaseOf(exported).version))
}

const CATEGORIES = [
  ['MAC-1', 'I - Mission Critical'],
  ['MAC-2', 'II - Mission Support'],
  ['MAC-3', 'III - Administrative'],
] as const
const LEVELS = ['Classified', 'Public', 'Sensitive'] as const

/** The nine profiles of an SRG. Each contains all rules. */
function profilesOf(rules: readonly ExportedRule[], ids: Ids): string {
  const selections = rules
    .map((rule) => ({ idref: ids('group', identifiersOf(rule).group), selected: 'true' }))
    .map((select) => element('select', select))
    .join('')
  const profiles = CATEGORIES.flatMap(([category, title]) =>
    LEVELS.map((level) =>
      element(
        'Profile',
        { id: ids('profile', `${category}_${level}`) },
        textElement('title', `${title} ${level}`),
        textElement('description', '<ProfileDescription></ProfileDescription>'),
        selections,
      ),
    ),
  )
  return profiles.join('')
}

function groupOf(rule: ExportedRule, exported: ExportedComponent, ids: Ids): string {
  const { group, requirement } = identifiersOf(rule)
  return element(
    'Group',
    { id: ids('group', group) },
    textElement('title', requirement),
    textElement('description', '<GroupDescription></GroupDescription>'),
    ruleElement(rule, exported, ids),
  )
}

function ruleElement(rule: ExportedRule, exported: ExportedComponent, ids: Ids): string {
  const identifiers = identifiersOf(rule)
  return element(
    'Rule',
    { id: ids('rule', identifiers.rule), weight: weightOf(rule), severity: rule.rule_severity },
    textElement('version', identifiers.version),
    textElement('title', rule.title),
    textElement('description', descriptionOf(rule)),
    ...ELEMENT_FIELDS.flatMap((field) => textElements(field.xccdf.names[0], textOf(rule, field))),
    ...identsOf(rule).map(({ system, value }) => textElement('ident', value, { system })),
    textElement('fixtext', rule.fixtext, { fixref: identifiers.fix }),
    element('fix', { id: identifiers.fix }),
    checkElement(rule, exported),
  )
}

function textElements(name: string, text: string | null): readonly string[] {
  return text === null || text === '' ? [] : [textElement(name, text)]
}

/** A number without sign or exponent, as the schema requires. */
function weightOf({ rule_weight }: ExportedRule): string {
  return /^\d+(?:\.\d+)?$/.test(rule_weight) ? rule_weight : '10.0'
}

function checkElement(rule: ExportedRule, exported: ExportedComponent): string {
  const content = textElement('check-content', joinChecks(rule))
  if (rule.document_type === 'stig') return element('check', { system: 'N/A' }, content)
  const reference = { href: `${benchmarkIdOf(exported)}_SRG.xml`, name: 'M' }
  return element('check', { system: identifiersOf(rule).check }, element('check-content-ref', reference), content)
}
