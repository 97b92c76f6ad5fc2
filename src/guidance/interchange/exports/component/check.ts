/** What the checks of a rule tell to do, one after the other. */
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

/** Between the checks of a rule in a table that comes back: a cell has all of them. */
const MARK = '[Next check]'

/** See `checkOf`; `separateChecks` takes them apart again. */
export function markedChecks({
  checks,
}: {
  readonly checks: readonly { readonly content: string | null }[]
}): string {
  return contentsOf(checks).join(`\n\n${MARK}\n\n`)
}

/** The checks in a cell, one or more. */
export function separateChecks(cell: string): readonly string[] {
  return cell.split(/\n{0,2}^\[Next check\]$\n{0,2}/m)
}
