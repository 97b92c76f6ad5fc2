export interface RuleWithChecks {
  readonly checks: readonly { readonly content: string | null }[]
}

/** Joins the texts of all checks of a rule. */
export function joinChecks(rule: RuleWithChecks): string {
  return checkContents(rule).join('\n\n')
}

/** Lists the texts of the checks of a rule; a check may have none. */
export function checkContents({ checks }: RuleWithChecks): readonly string[] {
  return checks.flatMap(({ content }) => content ?? [])
}
