/** What the checks of a rule tell to do, one after the other. */
export function checkOf({
  checks,
}: {
  readonly checks: readonly { readonly content: string | null }[]
}): string {
  return checks.flatMap(({ content }) => content ?? []).join('\n\n')
}
