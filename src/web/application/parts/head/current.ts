/**
 * Of a link that leads to the first of those pages, as `aria-current` says it: whether one is there, or on another
 * page of the same part.
 */
export function currentOf(pages: readonly [string, ...string[]], page: unknown): 'page' | 'true' | undefined {
  if (pages[0] === page) return 'page'
  return typeof page === 'string' && pages.includes(page) ? 'true' : undefined
}
