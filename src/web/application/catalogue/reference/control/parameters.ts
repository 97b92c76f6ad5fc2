interface TextPiece {
  readonly text: string
  readonly isParameter: boolean
}

const PARAMETER_START = /\[(?:Assignment|Selection)\b/

/** Splits the text of a control at its parameters, such as `[Assignment: …]`, which may be nested. */
export function cutAtParameters(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let rest = text
  for (let from = rest.search(PARAMETER_START); from >= 0; from = rest.search(PARAMETER_START)) {
    const length = lengthInBrackets(rest.slice(from))
    if (length === null) break
    if (from > 0) pieces.push({ text: rest.slice(0, from), isParameter: false })
    pieces.push({ text: rest.slice(from, from + length), isParameter: true })
    rest = rest.slice(from + length)
  }
  return rest === '' ? pieces : [...pieces, { text: rest, isParameter: false }]
}

/** The length of a text up to the end of its first bracket; null if the bracket is not closed. */
function lengthInBrackets(text: string): number | null {
  let depth = 0
  for (const { 0: bracket, index } of text.matchAll(/[[\]]/g)) {
    depth += bracket === '[' ? 1 : -1
    if (depth === 0) return index + 1
  }
  return null
}
