/** Code of one kind, for its colour. */
export interface Piece {
  readonly kind: 'comment' | 'text' | 'word' | 'plain'
  readonly text: string
}

export interface Line {
  readonly text: string
  /** The construct that is open at the start of the line; blank for code. */
  readonly within: string
  /** The construct that is open at the end of the line. */
  readonly leaves: string
  readonly pieces: readonly Piece[]
}

/** An open construct is named for its end: the mark that closes a string, or the line that closes a text. */
const COMMENT = '=begin'
const HERE = '<<'
const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

const WORDS =
  'control|title|desc|impact|tag|ref|describe|context|its|it|should|should_not|expect|only_if|do|end|if|unless|else|elsif|case|when|then|def|return|nil|true|false|input|and|or|not|in|each|next|begin|rescue'
/** Patterns that open a construct in code. A slash is a division unless nothing stands before it. */
const BEGINNINGS = new RegExp(
  [
    '(?<comment>#.*)',
    String.raw`<<[~-]?(?<quote>["'\x60]?)(?<here>[A-Z_]\w*)\k<quote>`,
    String.raw`(?<![\w"')\]])%[qQwWiIrsx]?(?<percent>[([{<|!/])`,
    String.raw`(?<mark>["'\x60])`,
    String.raw`(?<pattern>(?<=^\s*|[(,=~!|&{[;]\s*|\b(?:if|unless|and|or|not|when|match|should)\s+)\/(?:[^/\\]|\\.)+\/)`,
    String.raw`(?<word>(?<![.\w@$:])(?:${WORDS})\b(?![?!]))`,
  ].join('|'),
  'g',
)

/** The lines of code, of which such stay the same as are the same as before. */
export function linesOf(code: string, before: readonly Line[] = []): readonly Line[] {
  const texts = code.split('\n')
  const grown = texts.length - before.length
  let isHead = true
  let within = ''
  return texts.map((text, at) => {
    isHead = isHead && before[at]?.text === text
    const known = before[isHead ? at : at - grown]
    const line = known?.text === text && known.within === within ? known : readLine(text, within)
    within = line.leaves
    return line
  })
}

/** It is not understood further than to tell code from what is written in it. */
function readLine(text: string, within: string): Line {
  const isCode = within === '' && !text.startsWith(COMMENT)
  if (isCode || within.startsWith('%') || within.length === 1) return readCode(text, within)
  if (within.startsWith(HERE)) return readHere(text, within)
  const leaves = text.startsWith('=end') ? '' : COMMENT
  return { text, within, leaves, pieces: joined([{ kind: 'comment', text }]) }
}

function readCode(text: string, within: string): Line {
  const pieces: Piece[] = []
  const here: string[] = []
  let [at, open] = [0, within]
  while (at < text.length) {
    if (open !== '') {
      const end = endOf(text, at, open)
      pieces.push({ kind: 'text', text: text.slice(at, end.at) })
      ;({ at, open } = end)
      continue
    }
    const next = beginning(text, at)
    pieces.push(...next.pieces)
    if (next.here !== null) here.push(next.here)
    ;({ at, open } = next)
  }
  const leaves = open === '' && here.length > 0 ? HERE + here.join(' ') : open
  return { text, within, leaves, pieces: joined(pieces) }
}

/** A text until a line of its own; several are begun on one line sometimes. */
function readHere(text: string, within: string): Line {
  const [name, ...others] = within.slice(HERE.length).split(' ')
  const rest = others.length > 0 ? HERE + others.join(' ') : ''
  const leaves = text.trim() === name ? rest : within
  return { text, within, leaves, pieces: joined([{ kind: 'text', text }]) }
}

interface Next {
  readonly at: number
  readonly open: string
  readonly here: string | null
  readonly pieces: readonly Piece[]
}

/** Code up to what begins next in it, and that. */
function beginning(text: string, from: number): Next {
  BEGINNINGS.lastIndex = from
  const found = BEGINNINGS.exec(text)
  const plain: Piece = { kind: 'plain', text: text.slice(from, found?.index) }
  if (found === null) return { at: text.length, open: '', here: null, pieces: [plain] }
  const { comment, word, here, percent, mark } = found.groups ?? {}
  const kind = comment !== undefined ? 'comment' : word !== undefined ? 'word' : 'text'
  return {
    at: found.index + found[0].length,
    open: percent === undefined ? (mark ?? '') : `%${percent}1`,
    here: here ?? null,
    pieces: [plain, { kind, text: found[0] }],
  }
}

/** Letters of a string that do not end it: behind a backslash, and in code that is put into it. */
const UNITS = /\\.?|#\{[^}]*\}|[^\\]/g
const PLAIN_UNITS = /\\.?|[^\\]/g

/** Finds the end of an open string, or reports it as still open at the end of the line. */
function endOf(text: string, from: number, open: string): { at: number; open: string } {
  const isPercent = open.length > 1
  const begun = isPercent ? open.charAt(1) : open
  const close = PAIRS[begun] ?? begun
  let depth = isPercent ? Number(open.slice(2)) : 1
  for (const { 0: unit, index } of text.slice(from).matchAll(open === '"' ? UNITS : PLAIN_UNITS)) {
    if (unit === close) depth--
    else if (unit === begun) depth++
    if (depth === 0) return { at: from + index + 1, open: '' }
  }
  return { at: text.length, open: isPercent ? `%${begun}${depth}` : open }
}

/** Neighbours of one kind as one, and none that is blank. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const found: Piece[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    if (piece.text === '') continue
    if (last?.kind !== piece.kind) found.push(piece)
    else found.splice(-1, 1, { kind: last.kind, text: last.text + piece.text })
  }
  return found
}
