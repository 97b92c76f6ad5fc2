/** The most severe first. */
export const SEVERITIES = ['high', 'medium', 'low'] as const

const CATEGORIES: Readonly<Record<string, string>> = { high: 'CAT I', medium: 'CAT II', low: 'CAT III' }

/** The category of a severity; other texts stay unchanged. */
export function categoryOf(severity: string): string {
  return CATEGORIES[severity] ?? severity
}
