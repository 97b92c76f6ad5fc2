import type { CheckChanges } from '../../../authoring/rule-editing/changes.ts'
import type { AuthoredRule } from '../../../authoring/rules/reader.ts'
import { separateChecks } from '../../exports/component/check-text.ts'

/**
 * Replaces the checks of a rule by those in a cell, which has all of them. Adds and removes checks if their numbers
 * differ.
 */
export function checkChanges({ checks }: AuthoredRule, cell: string | null): CheckChanges[] {
  const filledChecks = checks.filter(({ content }) => content !== null)
  const before = filledChecks.length > 0 ? filledChecks : checks
  const contents = cell === null ? [null] : separateChecks(cell)
  const newChecks = contents.map((content, index) => ({ id: before[index]?.id, content }))
  return [...newChecks, ...before.slice(contents.length).map(({ id }) => ({ id, _destroy: true }))]
}
