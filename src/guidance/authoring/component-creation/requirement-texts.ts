import { recordOf } from '../../../platform/records.ts'
import { changesBetween, joinTexts, type ComparedFields } from '../../catalogue/benchmark-diff/compare.ts'
import type { StoredRule } from '../../catalogue/benchmarks/reader.ts'

export interface ComparedTexts {
  readonly title: string
  readonly vuln_discussion: string | null
  readonly check_content: string | null
  readonly fixtext: string | null
}

/** The texts that a rule can take over from its requirement. */
export const TEXTS: ComparedFields<ComparedTexts> = recordOf(
  ['title', 'vuln_discussion', 'check_content', 'fixtext'] as const,
  (field) => (side: ComparedTexts) => side[field],
)

/** The texts that a rule takes over. Of several fixes, it takes the first. */
export function requirementTexts({ title, discussion, checks, fixes }: StoredRule): ComparedTexts {
  return {
    title,
    vuln_discussion: discussion.vuln_discussion ?? null,
    check_content: joinTexts(checks.map(({ content }) => content)),
    fixtext: fixes.find((fix) => fix.text !== null)?.text ?? null,
  }
}

/** Whether a requirement has equal texts in both releases, apart from blanks and line ends. */
export function haveEqualTexts(before: StoredRule | undefined, after: StoredRule | undefined): boolean {
  if (before === undefined || after === undefined) return false
  return changesBetween(TEXTS, { before: requirementTexts(before), after: requirementTexts(after) }).length === 0
}
