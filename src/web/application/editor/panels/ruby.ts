export interface Piece {
  readonly kind: 'comment' | 'text' | 'word' | 'plain'
  readonly text: string
}

const WORDS =
  'control|title|desc|impact|tag|ref|describe|context|its|it|should|expect|only_if|do|end|if|unless|else|elsif|def|nil|true|false|input|and|or|not'
const PIECES = new RegExp(
  String.raw`(?<comment>#[^\n]*)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<word>\b(?:${WORDS})\b)`,
  'g',
)

/** The code of a control in pieces of one kind, for colours. It is not understood further than that. */
export function piecesOf(code: string): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const match of code.matchAll(PIECES)) {
    const { comment, text } = match.groups ?? {}
    const kind = comment !== undefined ? 'comment' : text !== undefined ? 'text' : 'word'
    if (match.index > at) pieces.push({ kind: 'plain', text: code.slice(at, match.index) })
    pieces.push({ kind, text: match[0] })
    at = match.index + match[0].length
  }
  return at < code.length ? [...pieces, { kind: 'plain', text: code.slice(at) }] : pieces
}
