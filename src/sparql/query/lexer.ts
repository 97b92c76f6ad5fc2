/** A token of a query. Kinds are only as fine as `readQuery` and `portableQuery` need. */
export interface Token {
  /** `word`: a keyword or a function; `name`: a prefixed name or a blank node. */
  readonly kind: 'iri' | 'name' | 'word' | 'number' | 'text' | 'other'
  readonly text: string
  readonly offset: number
  /** Number of braces that are open before it. */
  readonly depth: number
}

/**
 * Terminals of SPARQL 1.1 (§19.8), the first match counts: blanks, comments, IRIs, texts, variables, language tags,
 * prefixed names, words, numbers, escaped characters of names, and any other character. Each takes linear time.
 */
const TERMINAL = new RegExp(
  [
    /(?<blank>[\s\uFEFF]+|#[^\r\n]*)/u,
    // oxlint-disable-next-line no-control-regex -- an IRI has no control characters
    /(?<iri><(?:[^<>"{}|^`\\\u0000-\u0020]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>)/u,
    /(?<text>"""(?:"{0,2}(?:[^"\\]|\\[^]))*"""|'''(?:'{0,2}(?:[^'\\]|\\[^]))*''')/u,
    /(?<short>"(?:[^"\\\r\n]|\\[^])*"|'(?:[^'\\\r\n]|\\[^])*')/u,
    /(?<variable>[?$][\p{L}\p{N}_]+|@[A-Za-z]+(?:-[A-Za-z0-9]+)*)/u,
    // A prefix with dots or hyphens has a maximum length, and no shorter one is tried, so that a long text without colons
    // is not searched again and again.
    /(?<name>(?:[\p{L}_][\p{L}\p{N}_]*|(?=(?<prefix>[\p{L}_][\p{L}\p{N}_.-]{0,20}))\k<prefix>)?:(?:[\p{L}\p{N}_:%-]|\\.|\.(?=[\p{L}\p{N}_:%\\.-]))*)/u,
    /(?<word>[\p{L}_][\p{L}\p{N}_]*)/u,
    /(?<number>\d+)/u,
    /(?<other>\\?[^])/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'uy',
)

/** A position in a query: counted from 1, columns in code units. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

export function positionAt(query: string, offset: number): TextPosition {
  const lines = query.slice(0, offset).split(/\r\n?|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

const KINDS = ['iri', 'name', 'word', 'number', 'text'] as const

/** The tokens of a query, without blanks and comments. Never fails, because the parser reports errors. */
export function* tokensOf(query: string): Generator<Token, void> {
  let depth = 0
  TERMINAL.lastIndex = 0
  for (let next = 0; next < query.length;) {
    TERMINAL.lastIndex = next
    const match = TERMINAL.exec(query)
    if (match?.groups === undefined) return
    const [text] = match
    const { groups } = match
    const offset = next
    next += text.length
    if (groups['blank'] !== undefined) continue
    if (text === '}') depth -= 1
    const kind = KINDS.find((name) => groups[name] !== undefined)
    const other = groups['short'] === undefined ? 'other' : 'text'
    yield { kind: kind ?? other, text, offset, depth }
    if (text === '{') depth += 1
  }
}
