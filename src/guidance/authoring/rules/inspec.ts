import { inOrder } from '../../../platform/records.ts'
import { CHECK_CONTENT } from '../../../tables/check-fields.ts'
import { DESCRIPTION_FIELDS, namesOf } from '../../../tables/field-lists.ts'
import { FIELDS } from '../../../tables/fields.ts'
import type { Severity } from '../../../tables/severities.ts'
import { displayedName } from '../../database/rule-names.ts'
import { joinChecks } from './join-checks.ts'
import type { AuthoredRule } from './reader.ts'
import { ccisOf, nistOf } from './shape.ts'

const IMPACT: Readonly<Record<Severity, string>> = {
  high: '0.7',
  medium: '0.5',
  low: '0.3',
  unknown: '0.5',
  info: '0.0',
}

/** Texts of the description that are tags and not descriptions of the control. This one has always been first. */
const DISA_TAGS = inOrder(
  ['false_negatives'],
  namesOf(DESCRIPTION_FIELDS.filter((field) => field.kind === 'text' && field.inspec === null)),
)

/** Each control has these descriptions, even blank ones. */
const DESCRIPTIONS = ['rationale', 'check', 'fix']
const DESCRIBED = FIELDS.filter((field) => field.inspec !== null)

/**
 * The InSpec control of a rule, ending with the author's code. Its texts have quotes in which Ruby neither interpolates
 * nor escapes anything.
 */
export function inspecControl(rule: AuthoredRule): string {
  const name = displayedName(rule.prefix, rule.number)
  const lines = [
    '# encoding: UTF-8',
    '',
    `control ${quoteText(name)} do`,
    `  title ${quoteText(rule.title)}`,
    `  desc ${quoteText(describeRule(rule, ''))}`,
    ...DESCRIPTIONS.map((description) => `  desc '${description}', ${quoteText(describeRule(rule, description))}`),
    `  impact ${IMPACT[rule.rule_severity]}`,
    ...tagsOf(rule, name).map(([tag, value]) => `  tag ${tag}: ${value}`),
    ...bodyOf(rule),
    'end',
    '',
  ]
  return lines.join('\n')
}

function describeRule(rule: AuthoredRule, description: string): string {
  if (description === CHECK_CONTENT.inspec) return joinChecks(rule)
  const field = DESCRIBED.find(({ inspec }) => inspec === description)
  return field === undefined ? '' : (rule[field.name] ?? '')
}

function tagsOf(rule: AuthoredRule, name: string): readonly (readonly [string, string])[] {
  const satisfied = rule.satisfies.flatMap(({ version }) => version ?? [])
  const controls = nistOf(rule)?.split(', ') ?? []
  const idents = ccisOf(rule.ident)
  const otherIdents = idents.filter((ident) => !isCci(ident))
  return [
    ['severity', quoteText(rule.rule_severity)],
    ['gtitle', quoteText(rule.version ?? '')],
    ...(satisfied.length === 0 ? [] : [['satisfies', list([...new Set(satisfied)])] as const]),
    ['gid', quoteText(`V-${name}`)],
    ['rid', quoteText(`SV-${name}`)],
    ['stig_id', quoteText(name)],
    ['cci', list(idents.filter(isCci))],
    ['nist', list(controls)],
    ...(otherIdents.length === 0 ? [] : [['idents', list(otherIdents)] as const]),
    ...(rule.documentable === 1 ? [['documentable', 'true'] as const] : []),
    ...DISA_TAGS.flatMap((tag) => {
      const text = rule[tag] ?? ''
      return text === '' ? [] : [[tag, quoteText(text)] as const]
    }),
  ]
}

/** The identifiers of other publishers' rules also include CCEs and controls. */
function isCci(ident: string): boolean {
  return /^CCI-\d+$/i.test(ident)
}

function bodyOf({ inspec_control_body: body }: AuthoredRule): readonly string[] {
  return body === null || body.trim() === '' ? [] : ['', body.trimEnd()]
}

function list(values: readonly string[]): string {
  return `[${values.map(quoteText).join(', ')}]`
}

function quoteText(text: string): string {
  // Most texts are long and have none of these characters.
  const isPlain = !text.includes("'") && !text.includes('\\')
  return isPlain ? `'${text}'` : `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}
