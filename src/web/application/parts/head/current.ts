/** The `aria-current` of a link to the first of these pages: `page` on that page, `true` on the others. */
export function currentOf(pages: readonly [string, ...string[]], page: unknown): 'page' | 'true' | undefined {
  if (pages[0] === page) return 'page'
  return typeof page === 'string' && pages.includes(page) ? 'true' : undefined
}
