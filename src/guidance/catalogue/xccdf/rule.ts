import { Refusal } from '../../../platform/errors.ts'
import { ELEMENT_FIELDS } from '../../../tables/field-lists.ts'
import { SEVERITIES, type Severity } from '../../../tables/severities.ts'
import { MAX_TITLE_LENGTH } from '../files/limits.ts'
import type { Check, Discussion, Fix, Ident, Reference, Rule } from './benchmark.ts'
import { descriptionText, splitDescription, type SplitDescription } from './description.ts'
import { idOf } from './id.ts'
import { attributeOf, childrenOf, descendantsOf, lineOf, textOf, tooLong, type XmlNode } from './node.ts'
import type { ReadWarnings } from './warnings.ts'

export type RuleOutsideGroups = Omit<Rule, 'groupId' | 'groupTitle'>

export interface ReadRule {
  readonly rule: RuleOutsideGroups
  /** Whether its description has DISA's tags. */
  readonly tagged: boolean
}

interface RuleContext {
  /** The position of the rule in its benchmark, from 1. */
  readonly ordinal: number
  readonly warnings: ReadWarnings
}

/** XCCDF's own default is 1.0, but all of DISA's rules have 10.0. */
const DEFAULT_WEIGHT = '10.0'

const STATUSES = new Set(['accepted', 'deprecated', 'draft', 'incomplete', 'interim'])

/** The children of a Rule that are read. */
const READ_CHILDREN = new Set([
  ...'status version title description reference ident check complex-check fix fixtext'.split(' '),
  ...ELEMENT_FIELDS.flatMap(({ xccdf }) => xccdf.names),
])

/** Reads a `Rule` element (NIST IR 7275, table 12). Refuses a rule that cannot be stored. */
export function readRule(node: XmlNode, { ordinal, warnings }: RuleContext): ReadRule {
  const ruleId = idOf(node)
  if (ruleId === null) {
    const position = `rule ${ordinal} (line ${node.line})`
    throw new Refusal('missing_field', `Rule id is missing in ${position}.`)
  }
  noteUnread(node, ruleId, warnings)
  const description = readDescription(node, ruleId, warnings)
  const rule: RuleOutsideGroups = {
    ruleId,
    version: readVersion(node, ruleId, warnings),
    title: readTitle(node, warnings) ?? ruleId,
    severity: readSeverity(node, ruleId, warnings),
    weight: (attributeOf(node, 'weight') ?? '').trim() || DEFAULT_WEIGHT,
    status: readStatus(node, ruleId, warnings),
    discussion: { ...description.discussion, ...readElements(node) },
    checks: readChecks(node, ruleId, warnings),
    fixes: readFixes(node, ruleId, warnings),
    idents: readIdents(node, ruleId, warnings),
    references: childrenOf(node, 'reference').map(readReference),
  }
  return { rule, tagged: description.tagged }
}

interface TitleLocation {
  readonly where: string
  readonly warnings: ReadWarnings
}

/** The title of a Benchmark, Group or Rule in one line. Refuses (`field_too_long`) a longer one. */
export function titleOf(
  node: XmlNode | undefined,
  field: string,
  { where: location, warnings }: TitleLocation,
): string | null {
  const title = lineOf(node, field)
  if (title !== null && title !== textOf(node, field)) warnings.add('title_blanks', location)
  if (node !== undefined && title !== null && title.length > MAX_TITLE_LENGTH) {
    throw tooLong(field, MAX_TITLE_LENGTH, node.line)
  }
  return title
}

export function isStatus(status: string): boolean {
  return STATUSES.has(status)
}

function readTitle(node: XmlNode, warnings: ReadWarnings): string | null {
  const location = attributeOf(node, 'id') ?? ''
  const title = titleOf(childrenOf(node, 'title')[0], 'Rule title', { where: location, warnings })
  if (title === null) warnings.add('title_missing', location)
  return title
}

function readVersion(node: XmlNode, ruleId: string, warnings: ReadWarnings): string | null {
  const version = lineOf(childrenOf(node, 'version')[0], 'Rule version')
  if (version === null) warnings.add('version_missing', ruleId)
  return version
}

function readSeverity(node: XmlNode, ruleId: string, warnings: ReadWarnings): Severity {
  const written = (attributeOf(node, 'severity') ?? '').trim().toLowerCase()
  const severity = SEVERITIES.find((candidate) => candidate === written)
  if (severity !== undefined) return severity
  warnings.add(written === '' ? 'severity_missing' : 'severity_unknown_value', ruleId)
  return written === '' ? 'medium' : 'unknown'
}

function readStatus(node: XmlNode, ruleId: string, warnings: ReadWarnings): string | null {
  const texts = childrenOf(node, 'status').map((status) => lineOf(status, 'Rule status'))
  const status = texts.find((text) => text !== null) ?? null
  if (status !== null && !isStatus(status)) warnings.add('status_unknown', ruleId)
  return status
}

function readDescription(node: XmlNode, ruleId: string, warnings: ReadWarnings): SplitDescription {
  const text = descriptionText(childrenOf(node, 'description')[0], 'Rule description')
  const description = splitDescription(text)
  const { vuln_discussion } = description.discussion
  if ((vuln_discussion ?? '').trim() === '') warnings.add('discussion_empty', ruleId)
  if (description.hasOtherText) warnings.add('description_other_text', ruleId)
  if (description.hasOddDocumentable) warnings.add('documentable_odd', ruleId)
  return description
}

/** Texts of repeated elements are joined. */
function readElements(node: XmlNode): Partial<Discussion> {
  const texts = ELEMENT_FIELDS.map(({ name, label, xccdf }) => {
    const elements = xccdf.names.flatMap((local) => childrenOf(node, local))
    const elementTexts = elements.flatMap((element) => textOf(element, label) ?? [])
    return [name, elementTexts.length === 0 ? null : elementTexts.join('\n\n')] as const
  })
  return Object.fromEntries(texts)
}

function readIdents(node: XmlNode, ruleId: string, warnings: ReadWarnings): readonly Ident[] {
  const idents = new Map<string, Ident>()
  for (const element of childrenOf(node, 'ident')) {
    const system = (attributeOf(element, 'system') ?? '').trim()
    const value = lineOf(element, 'Rule ident')
    const key = `${system} ${value}`
    if (value === null) warnings.add('ident_empty', ruleId)
    else if (idents.has(key)) warnings.add('repeated_ident', ruleId)
    else idents.set(key, { system, value })
  }
  return [...idents.values()]
}

const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/'

/** The first Dublin Core element of a name within an element, in one line. */
export function dublinCoreOf(node: XmlNode, local: string): string | null {
  return lineOf(childrenOf(node, local, DUBLIN_CORE)[0], `dc:${local}`)
}

function readReference(node: XmlNode): Reference {
  return {
    href: attributeOf(node, 'href'),
    title: dublinCoreOf(node, 'title'),
    publisher: dublinCoreOf(node, 'publisher'),
    type: dublinCoreOf(node, 'type'),
    subject: dublinCoreOf(node, 'subject'),
    identifier: dublinCoreOf(node, 'identifier'),
  }
}

function noteUnread(node: XmlNode, ruleId: string, warnings: ReadWarnings): void {
  const isUnread = (part: string | XmlNode): boolean =>
    typeof part !== 'string' && (part.uri !== node.uri || !READ_CHILDREN.has(part.local))
  if (node.content.some(isUnread)) warnings.add('element_not_kept', ruleId)
  if (descendantsOf(node, 'sub').length > 0) warnings.add('substitution', ruleId)
  for (const local of ['title', 'description', 'version']) {
    if (childrenOf(node, local).length > 1) warnings.add('element_repeated', ruleId)
  }
}

/** Reads the checks of a Rule in document order, also those within a `complex-check`. */
function readChecks(rule: XmlNode, ruleId: string, warnings: ReadWarnings): readonly Check[] {
  const elements = descendantsOf(rule, 'check')
  if (elements.length === 0) warnings.add('check_missing', ruleId)
  if (elements.length > 1) warnings.add('several_checks', ruleId)
  if (childrenOf(rule, 'complex-check').length > 0) warnings.add('complex_check', ruleId)
  return elements.map((element) => {
    const check = readCheck(element)
    const references = childrenOf(element, 'check-content-ref').length
    if (references > 0 && check.content === null) warnings.add('check_by_reference', ruleId)
    if (references > 1) warnings.add('several_check_references', ruleId)
    return check
  })
}

function readCheck(element: XmlNode): Check {
  const reference = childrenOf(element, 'check-content-ref')[0]
  return {
    system: attributeOf(element, 'system'),
    contentRefName: reference === undefined ? null : attributeOf(reference, 'name'),
    contentRefHref: reference === undefined ? null : attributeOf(reference, 'href'),
    content: textOf(childrenOf(element, 'check-content')[0], 'Rule check-content'),
  }
}

/**
 * Reads each `fixtext` of a Rule with the `fix` that it refers to, then the other `fix` elements. The text is that of
 * the fixtext: DISA leaves the fix empty, others write a script into it.
 */
function readFixes(rule: XmlNode, ruleId: string, warnings: ReadWarnings): readonly Fix[] {
  const elements = childrenOf(rule, 'fix')
  const ids = new Set(elements.map((element) => attributeOf(element, 'id')))
  const fixes = childrenOf(rule, 'fixtext').map((element) => readFixtext(element, ids))
  const referredIds = new Set(fixes.map(({ fixId }) => fixId))
  const otherFixes = elements.map(readFix).filter(({ fixId }) => fixId === null || !referredIds.has(fixId))
  if (fixes.length > 1) warnings.add('several_fixtexts', ruleId)
  if (fixes.length === 0 && otherFixes.length === 0) warnings.add('fix_missing', ruleId)
  if (fixes.some(({ fixref, fixId }) => fixref !== null && fixId === null)) {
    warnings.add('fixref_unknown', ruleId)
  }
  return [...fixes, ...otherFixes]
}

function readFixtext(element: XmlNode, ids: ReadonlySet<string | null>): Fix {
  const fixref = attributeOf(element, 'fixref')
  return { fixref, fixId: fixref !== null && ids.has(fixref) ? fixref : null, text: textOf(element, 'Rule fixtext') }
}

function readFix(element: XmlNode): Fix {
  return { fixref: null, fixId: attributeOf(element, 'id'), text: textOf(element, 'Rule fix') }
}
