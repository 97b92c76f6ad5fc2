/** Further on, articles have details that nobody searches for. */
const LONGEST = 2000

/**
 * Markup in definitions and articles (Markdown and HTML), and what replaces it. No pattern may begin anew
 * inside its own match, or odd texts would take long.
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
  // More than is kept, because markup takes room.
  const line = withoutMarkup(text.slice(0, 2 * LONGEST))
  if (line.length <= LONGEST) return line
  const blank = line.lastIndexOf(' ', LONGEST)
  return line.slice(0, blank > 0 ? blank : LONGEST)
}
