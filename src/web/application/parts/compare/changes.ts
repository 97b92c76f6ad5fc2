import { FIELDS } from '../../../../tables/fields.ts'
import { wordsOf } from '../../catalogue/words-of.ts'
import { compareTexts } from '../words/compare-texts.ts'
import { categoryOf } from '../words/severities.ts'

/** The fields of a comparison that the pages read. The query checks that they match the API. */
export interface Comparison {
  readonly counts: Readonly<Record<Status, number>>
  readonly rules: readonly ChangedRule[]
}

export interface ChangedRule {
  readonly status: Status
  readonly matched_by: 'rule_id' | 'legacy_id' | 'stig_id' | 'srg_id' | 'text' | null
  readonly before: RuleName | null
  readonly after: RuleName | null
  readonly changes: readonly FieldChange[]
  /** Changes of the published rule since the component was made from it. */
  readonly published?: { readonly status: Status } | null
}

interface RuleName {
  readonly rule_id: string
  readonly version: string | null
  readonly title: string
  readonly severity: string
}

export interface FieldChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

export const STATUSES = ['added', 'removed', 'changed', 'unchanged'] as const
export type Status = (typeof STATUSES)[number]

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  added: 'New',
  removed: 'Removed',
  changed: 'Changed',
  unchanged: 'Unchanged',
}

/** The badge of a rule that only one release has; others list their fields. */
export const STATUS_BADGES: Readonly<Record<Status, 'ok' | 'bad' | null>> = {
  added: 'ok',
  removed: 'bad',
  changed: null,
  unchanged: null,
}

/** The publisher's changes of a rule. */
export const PUBLISHED_NAMES: Readonly<Record<Status, string | null>> = {
  added: 'new in this release of the STIG',
  removed: 'removed from this release of the STIG',
  changed: 'changed in this release of the STIG',
  unchanged: null,
}

/** Names of properties that are not fields of a rule, and short names of some fields. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  rule_id: 'Rule',
  vuln_id: 'Group',
  srg_id: 'Requirement',
  ident: 'CCIs',
  legacy_ids: 'Earlier ids',
  check_content: 'Check',
  vuln_discussion: 'Discussion',
  satisfied_by: 'Satisfied by',
  inspec_control_body: 'InSpec',
}

/** The name of a field of the API on pages. */
export function nameOfField(field: string): string {
  const words = field.replaceAll('_', ' ')
  const label = FIELDS.find(({ name }) => name === field)?.label
  return OTHER_NAMES[field] ?? label ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** How two rules were matched; matches by rule id need no remark. */
export const MATCHES: Readonly<Record<NonNullable<ChangedRule['matched_by']>, string | null>> = {
  rule_id: null,
  legacy_id: 'found by an earlier id',
  stig_id: 'found by its STIG id',
  srg_id: 'found by its requirement',
  text: 'found by its words',
}

/** Ids, references and properties for programs, which few people need. */
const TECHNICAL: ReadonlySet<string> = new Set([
  ...FIELDS.filter(({ section }) => section === 'XCCDF Metadata').map(({ name }) => name),
  'rule_id',
  'vuln_id',
  'legacy_ids',
  'inspec_control_body_lang',
  'inspec_control_file_lang',
])
/** CCIs belong to the content of a rule. */
const isTechnical = (field: string): boolean => field !== 'ident' && TECHNICAL.has(field)

/** The most important fields, in the order of the rule reader; the others follow. */
const FIRST_FIELDS = [
  'title',
  'status',
  'rule_severity',
  'vuln_discussion',
  'check_content',
  'fixtext',
  'ident',
  'srg_id',
]

/** A changed field with its name and its values, for display. */
interface ShownChange {
  readonly name: string
  readonly before: string
  readonly after: string
}

/** The changes of a rule in reading order; technical properties are separate. */
export function shownChanges(rule: ChangedRule): Readonly<Record<'main' | 'technical', readonly ShownChange[]>> {
  const { before, after, changes } = rule
  const sorted = changes.toSorted((a, b) => rankOf(a.field) - rankOf(b.field))
  // The API does not list a new revision of the id alone, because the rule itself is unchanged.
  const isRevised = before !== null && after !== null && before.rule_id !== after.rule_id
  const ids = isRevised ? [{ field: 'rule_id', before: before.rule_id, after: after.rule_id }] : []
  const technical = sorted.filter(({ field }) => isTechnical(field) && !(isRevised && field === 'rule_id'))
  return {
    main: sorted.filter(({ field }) => !isTechnical(field)).map(shapeChange),
    technical: [...ids, ...technical].map(shapeChange),
  }
}

function rankOf(field: string): number {
  const rank = FIRST_FIELDS.indexOf(field)
  return rank === -1 ? FIRST_FIELDS.length : rank
}

function shapeChange({ field, before, after }: FieldChange): ShownChange {
  const valueOf = (value: string | null): string => (field === 'rule_severity' ? severityName(value) : (value ?? ''))
  return { name: nameOfField(field), before: valueOf(before), after: valueOf(after) }
}

function severityName(severity: string | null): string {
  const category = categoryOf(severity ?? '')
  return category === severity || severity === null ? category : `${category} (${severity})`
}

/** A rule of a comparison in the list of those that differ. */
export interface ListedChange extends ChangedRule {
  /** Its index in the comparison. */
  readonly id: number
  /** Its name in the newer release, or in the older one if it was removed. */
  readonly name: string
  readonly rule: RuleName
  /** The fields that changed, in words. */
  readonly fields: string
}

const ORDER: readonly Status[] = ['added', 'removed', 'changed', 'unchanged']

/** Lists the rules of a comparison: new ones, removed ones, then the others, each by their names. */
export function listChanges(rules: readonly ChangedRule[], isAuthored: boolean): readonly ListedChange[] {
  return rules
    .flatMap((change, id): readonly ListedChange[] => {
      const rule = change.after ?? change.before
      if (rule === null) return []
      const name = isAuthored ? rule.rule_id : (rule.version ?? rule.rule_id)
      return [{ ...change, id, name, rule, fields: fieldsOf(change) }]
    })
    .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || compareTexts(a.name, b.name))
}

function fieldsOf(change: ChangedRule): string {
  const { main, technical } = shownChanges(change)
  if (main.length > 0) return main.map(({ name }) => (/^[A-Z]{2}/.test(name) ? name : name.toLowerCase())).join(', ')
  return technical.length === 0 ? '' : 'technical properties'
}

interface ChangeFilter {
  /** Empty: all except unchanged rules. */
  readonly status: string
  readonly text: string
}

export function matchingChanges<T extends ChangedRule>(
  rules: readonly T[],
  { status, text }: ChangeFilter,
): readonly T[] {
  const words = wordsOf(text)
  return rules
    .filter((rule) => (status === '' ? rule.status !== 'unchanged' : rule.status === status))
    .filter((rule) => {
      if (words.length === 0) return true
      const written = writtenOf(rule)
      return words.every((word) => written.includes(word))
    })
}

function writtenOf({ before, after, changes }: ChangedRule): string {
  const names = [before, after].flatMap((rule) => [rule?.rule_id, rule?.version, rule?.title])
  const fields = changes.flatMap((change) => [nameOfField(change.field), change.before, change.after])
  return [...names, ...fields].join('\n').toLowerCase()
}
