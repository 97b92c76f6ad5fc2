import { FIELDS } from '../../../../tables/fields.ts'
import { wordsOf } from '../../catalogue/words-of.ts'

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
  /** Changes of the published rule since the component was begun from it. */
  readonly published?: { readonly status: Status } | null
}

interface RuleName {
  readonly rule_id: string
  readonly version: string | null
  readonly title: string
}

interface FieldChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

export const STATUSES = ['added', 'removed', 'changed', 'unchanged'] as const
export type Status = (typeof STATUSES)[number]

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  added: '+ added',
  removed: '− removed',
  changed: '~ changed',
  unchanged: '= unchanged',
}

/** The publisher's changes of a rule. */
export const PUBLISHED_NAMES: Readonly<Record<Status, string | null>> = {
  added: 'new in this release of the STIG',
  removed: 'removed from this release of the STIG',
  changed: 'changed in this release of the STIG',
  unchanged: null,
}

/** Names of what is no field of a rule, and the short names that pages have for some fields. */
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

/** Why two rules are taken for the same; by their rule ids goes without saying. */
export const MATCHES: Readonly<Record<NonNullable<ChangedRule['matched_by']>, string | null>> = {
  rule_id: null,
  legacy_id: 'the same by an earlier id',
  stig_id: 'the same by its version',
  srg_id: 'the same by its requirement',
  text: 'the same by its words',
}

interface ChangeFilter {
  /** Empty: all but those that are unchanged. */
  readonly status: string
  readonly text: string
}

export function matchingChanges(rules: readonly ChangedRule[], { status, text }: ChangeFilter): readonly ChangedRule[] {
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
  const names = [before, after].flatMap((one) => [one?.rule_id, one?.version, one?.title])
  const fields = changes.flatMap((one) => [nameOfField(one.field), one.before, one.after])
  return [...names, ...fields].join('\n').toLowerCase()
}
