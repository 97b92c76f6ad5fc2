/** The number of names, lines or obstacles that a message lists. Other members of the answer have all of them. */
const MAX_NAMED = 20

/** `A, B and 7 more`. */
export function nameSome(names: readonly string[], limit = MAX_NAMED): string {
  const restCount = names.length - limit
  const named = names.slice(0, limit).join(', ')
  return restCount > 0 ? `${named} and ${restCount} more` : named
}

/** The first lines, and a last line with the number of the others. */
export function firstLines(lines: readonly string[], limit = MAX_NAMED): readonly string[] {
  const restCount = lines.length - limit
  return restCount > 0 ? [...lines.slice(0, limit), `and ${restCount} more`] : lines
}
