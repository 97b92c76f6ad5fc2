/** Beyond this, an article tells details for which nobody searches. */
const LONGEST = 2000

/**
 * What stands for something else, or for nothing, in the Markdown and HTML of definitions and articles.
 * Nothing in them may begin again inside itself, or odd texts would take long.
 */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^[ \t]*```.*$/gm, ' '],
  [/\(Citation:[^()\n]*\)/g, ' '],
  [/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1'],
  [/<\/?[a-zA-Z][^<>\n]*>/g, ' '],
  [/^[ \t]*(?:#{1,6}|[*+-]|\d{1,3}\.|>)[ \t]+/gm, ''],
  [/\*\*|__|`/g, ''],
]

/** The first part of a text without its markup, on one line, cut between two words. */
export function plainText(text: string): string {
  // What is cut off is looked at only as far as markup may take room.
  const start = text.slice(0, 2 * LONGEST)
  const bare = MARKUP.reduce((plain, [markup, instead]) => plain.replace(markup, instead), start)
  const line = bare.replace(/\s+/g, ' ').trim()
  if (line.length <= LONGEST) return line
  const blank = line.lastIndexOf(' ', LONGEST)
  return line.slice(0, blank > 0 ? blank : LONGEST)
}
