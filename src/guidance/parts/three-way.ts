import { diff3Merge } from 'node-diff3'

/** Pairs of equal lines in two texts, at most: the comparison takes longer the more there are. */
const MOST_PAIRS = 8000

/**
 * Joins the changes that two people made to the same text, line by line. Null if both changed the same lines in
 * different ways, or if too many lines are alike. All lines of the result end in a line feed.
 */
export function mergeTexts(base: string, one: string, other: string): string | null {
  const [before, first, second] = [unixLines(base), unixLines(one), unixLines(other)]
  if (first === before || first === second) return second
  if (second === before) return first
  const [a, o, b] = [first.split('\n'), before.split('\n'), second.split('\n')]
  if (pairsIn(a, o) > MOST_PAIRS || pairsIn(b, o) > MOST_PAIRS) return null
  const regions = diff3Merge(a, o, b)
  return regions.some(({ ok }) => ok === undefined) ? null : regions.flatMap(({ ok = [] }) => ok).join('\n')
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function pairsIn(lines: readonly string[], others: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0)
}
