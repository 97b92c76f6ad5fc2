import { compareCodeUnits } from '../../../graph/term.ts'
import { Pauses } from '../../../platform/concurrency/turns.ts'
import { recordOf } from '../../../platform/records.ts'
import { DISCUSSION_FIELDS, namesOf } from '../../../tables/field-lists.ts'
import { identOf, legacyIdsOf } from '../benchmarks/shape.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import { matchRules, withoutRevision, type Match } from './match.ts'

export type ComparedFields<T> = Readonly<Record<string, (rule: T) => string | null>>

/** The compared fields, under the names that the API of the catalogue uses. */
export const CATALOGUE_FIELDS: ComparedFields<Rule> = {
  // A new revision number alone does not change the content of a rule.
  rule_id: (rule) => withoutRevision(rule.ruleId),
  vuln_id: (rule) => rule.groupId,
  srg_id: (rule) => rule.groupTitle,
  version: (rule) => rule.version,
  title: (rule) => rule.title,
  rule_severity: (rule) => rule.severity,
  rule_weight: (rule) => rule.weight,
  ident: identOf,
  legacy_ids: (rule) => legacyIdsOf({ idents: rule.idents.toSorted((a, b) => compareCodeUnits(a.value, b.value)) }),
  ...recordOf(
    namesOf(DISCUSSION_FIELDS),
    (field) =>
      ({ discussion }: Rule) =>
        discussion[field]?.toString() ?? null,
  ),
  check_content: (rule) => joinTexts(rule.checks.map(({ content }) => content)),
  fixtext: (rule) => joinTexts(rule.fixes.map(({ text }) => text)),
}

export interface FieldChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

export interface RuleChange {
  readonly status: 'added' | 'removed' | 'changed' | 'unchanged'
  readonly matchedBy: Match['by'] | null
  readonly before: Rule | null
  readonly after: Rule | null
  readonly changes: readonly FieldChange[]
}

/**
 * The changes of all rules: first those of the newer release in their order, then the removed ones. Texts that
 * differ only in blanks and line ends are equal.
 */
export async function compareRules(before: readonly Rule[], after: readonly Rule[]): Promise<readonly RuleChange[]> {
  const matches = await matchRules(before, after)
  const matched = new Map(matches.map((match) => [match.after, match]))
  const keptRules = new Set(matches.map((match) => match.before))
  const removed = before.filter((rule) => !keptRules.has(rule))
  const changes: RuleChange[] = []
  const pauses = new Pauses()
  for (const rule of after) {
    changes.push(describeChange(rule, matched.get(rule)))
    await pauses.rest()
  }
  return [...changes, ...removed.map((rule) => oneSided('removed', { before: rule, after: null }))]
}

function describeChange(rule: Rule, match: Match | undefined): RuleChange {
  if (match === undefined) return oneSided('added', { before: null, after: rule })
  const { before, after, by: matchedBy } = match
  const changes = changesBetween(CATALOGUE_FIELDS, { before, after })
  return { status: changes.length === 0 ? 'unchanged' : 'changed', matchedBy, before, after, changes }
}

function oneSided(status: 'added' | 'removed', sides: Pick<RuleChange, 'before' | 'after'>): RuleChange {
  return { status, matchedBy: null, ...sides, changes: [] }
}

/** Returns the fields that differ; differences in blanks and line ends are ignored. */
export function changesBetween<T>(
  fields: ComparedFields<T>,
  { before, after }: { readonly before: T; readonly after: T },
): FieldChange[] {
  return Object.entries(fields)
    .map(([field, valueOf]) => ({ field, before: valueOf(before), after: valueOf(after) }))
    .filter((change) => collapseSpaces(change.before) !== collapseSpaces(change.after))
}

export function collapseSpaces(text: string | null): string {
  return (text ?? '').replaceAll(/\s+/g, ' ').trim()
}

export function joinTexts(texts: readonly (string | null)[]): string | null {
  const present = texts.filter((text) => text !== null)
  return present.length === 0 ? null : present.join('\n\n')
}
