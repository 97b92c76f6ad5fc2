/** Maximum length; the rest of an article has details that nobody searches for. */
const MAX_LENGTH = 2000

/**
 * Markup in definitions and articles (Markdown and HTML), with replacements. No pattern may match again inside its own
 * match, because some texts would take very long.
 */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^[ \t]*```.*$/gm, ' '],
  [/\(Citation:[^()\n]*\)/g, ' '],
  [/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1'],
  [/<\/?[a-zA-Z][^<>\n]*>/g, ' '],
  [/^[ \t]*(?:#{1,6}|[*+-]|\d{1,3}\.|>)[ \t]+/gm, ''],
  [/\*\*|__|`/g, ''],
]

/** A text without its markup, on one line. */
export function withoutMarkup(text: string): string {
  const bare = MARKUP.reduce((plain, [markup, instead]) => plain.replace(markup, instead), text)
  return bare.replace(/\s+/g, ' ').trim()
}

/** The first part of a text without its markup, on one line, cut between two words. */
export function plainText(text: string): string {
  // More than the result needs, because markup is removed.
  const line = withoutMarkup(text.slice(0, 2 * MAX_LENGTH))
  if (line.length <= MAX_LENGTH) return line
  const blank = line.lastIndexOf(' ', MAX_LENGTH)
  return line.slice(0, blank > 0 ? blank : MAX_LENGTH)
}
