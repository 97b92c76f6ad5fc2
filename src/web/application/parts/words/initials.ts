/** First letters of the first and the last name. */
export function initialsOf(name: string): string {
  const names = name.split(/\s+/).filter((one) => one !== '')
  const ends = names.length > 1 ? [names[0], names.at(-1)] : names
  return ends
    .map((one) => Array.from(one ?? '')[0] ?? '')
    .join('')
    .toUpperCase()
}
