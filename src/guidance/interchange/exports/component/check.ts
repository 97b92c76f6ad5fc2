/** The texts of all checks of a rule, one after the other. */
export function checkOf({
  checks,
}: {
  readonly checks: readonly { readonly content: string | null }[]
}): string {
  return contentsOf(checks).join('\n\n')
}

function contentsOf(checks: readonly { readonly content: string | null }[]): readonly string[] {
  return checks.flatMap(({ content }) => content ?? [])
}

/** Separates the checks of a rule in one cell of a table that can be imported again. */
const MARK = '[Next check]'

/** Like `checkOf`, but `separateChecks` can split the result. */
export function markedChecks({
  checks,
}: {
  readonly checks: readonly { readonly content: string | null }[]
}): string {
  return contentsOf(checks).join(`\n\n${MARK}\n\n`)
}

/** The checks in a cell. */
export function separateChecks(cell: string): readonly string[] {
  return cell.split(/\n{0,2}^\[Next check\]$\n{0,2}/m)
}
