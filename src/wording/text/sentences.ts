/** A part of a text. */
export interface TextPiece {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A dot after these does not end a sentence. */
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|no|alt|approx|cf|fig|inc|ltd|st|dr|mr|u\.s|[a-z]))\.$/i
const END = /[.!?]["')\]\u201d\u2019]*(?=\s+["'([\u201c\u2018]*[A-Z0-9])/g

/** The beginning of a command, a path, a setting or the output of a program. */
const COMMAND = /^(?:[$#/\\<{}[|@%;=+~^!]|--?\w)/
const WORD = /^["'(\u201c\u2018]*[A-Za-z]+(?:[-'’/][A-Za-z]+)*["'),.;:!?\u201d\u2019]*$/

const SENTENCE = /^["'(\u201c\u2018]*[A-Z][a-z]+,? .*[a-z0-9"')\u201d\u2019>*][.:;!?]["')\u201d\u2019]*$/

/** Whether a line is prose, and not a command or output. */
export function isProse(line: string): boolean {
  const trimmed = line.trim()
  if (COMMAND.test(trimmed)) return false
  const tokens = trimmed.split(/\s+/)
  const words = tokens.filter((token) => WORD.test(token)).length
  // A line that begins and ends like a sentence may contain names.
  if (SENTENCE.test(trimmed)) return words >= 2
  return words >= 3 && words / tokens.length >= 0.6
}

export function linesOf(text: string): readonly TextPiece[] {
  let start = 0
  return text.split('\n').map((line) => {
    const piece = { start, end: start + line.length, text: line }
    start += line.length + 1
    return piece
  })
}

/** The lines of prose; lines with one sentence are joined. */
export function proseOf(text: string): readonly TextPiece[] {
  const sentences: TextPiece[] = []
  let last: TextPiece | null = null
  for (const line of linesOf(text)) {
    if (!isProse(line.text)) {
      last = null
      continue
    }
    if (last !== null && continuesSentence(last, line)) {
      sentences.pop()
      last = { start: last.start, end: line.end, text: text.slice(last.start, line.end) }
    } else last = line
    sentences.push(last)
  }
  return sentences
}

function continuesSentence(before: TextPiece, line: TextPiece): boolean {
  return !/[.:;!?)"”]\s*$/.test(before.text) && /^\s*[a-z]/.test(line.text)
}

/** The sentences of prose, without blanks around them. */
export function sentencesIn(prose: readonly TextPiece[]): readonly TextPiece[] {
  return prose.flatMap((block) => splitBlock(block))
}

function splitBlock({ text, start }: TextPiece): readonly TextPiece[] {
  const sentences: TextPiece[] = []
  let from = 0
  const addPiece = (to: number): void => {
    const raw = text.slice(from, to)
    const begin = start + from + (raw.length - raw.trimStart().length)
    const trimmed = raw.trim()
    if (trimmed !== '') sentences.push({ start: begin, end: begin + trimmed.length, text: trimmed })
    from = to
  }
  for (const { 0: mark, index } of text.matchAll(END)) {
    if (mark.startsWith('.') && ABBREVIATION.test(text.slice(Math.max(from, index - 12), index + 1))) continue
    addPiece(index + mark.length)
  }
  addPiece(text.length)
  return sentences
}
