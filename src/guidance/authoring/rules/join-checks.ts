interface Check {
  readonly content: string | null
}

/** Joins the texts of all checks of a rule. */
export function joinChecks({ checks }: { readonly checks: readonly Check[] }): string {
  return checks.flatMap(({ content }) => content ?? []).join('\n\n')
}
