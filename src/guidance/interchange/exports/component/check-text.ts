import { checkContents, type RuleWithChecks } from '../../../authoring/rules/join-checks.ts'

/** Separates the checks of a rule in one cell of a table that can be imported again. */
const MARK = '[Next check]'

/** Joins the texts like `joinChecks`, but so that `separateChecks` can split them. */
export function markedChecks(rule: RuleWithChecks): string {
  return checkContents(rule).map(escapeMarks).join(`\n\n${MARK}\n\n`)
}

export function separateChecks(cell: string): readonly string[] {
  return cell.split(/(?:\r?\n){0,2}^\[Next check\]$(?:\r?\n){0,2}/m).map(unescapeMarks)
}

/** A line of a check that looks like the mark gets one more backslash. */
function escapeMarks(content: string): string {
  return content.replaceAll(/^(?=\\*\[Next check\]$)/gm, '\\')
}

function unescapeMarks(content: string): string {
  return content.replaceAll(/^\\(?=\\*\[Next check\]$)/gm, '')
}
