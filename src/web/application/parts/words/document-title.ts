const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\bSecurity Technical Implementation Guides?\b(?:\s*\(STIG\))?/gi, 'STIG'],
  [/\bSecurity Requirements? Guides?\b(?:\s*\(SRG\))?/gi, 'SRG'],
]

/** A title of published guidance with the usual abbreviations, such as STIG. */
export function shortTitle(title: string): string {
  const short = ABBREVIATIONS.reduce((text, [long, word]) => text.replaceAll(long, word), title)
  return short.replaceAll(/\b(STIG|SRG) \1\b/g, '$1')
}
