import { diffArrays } from 'diff'
import { paragraphsOf } from '../../catalogue/rule/paragraphs.ts'
import { withoutUnbroken } from '../prose/unbroken.ts'
import { differencesOf, shortenParts, type Part } from './words.ts'

/** A line of commands or their output, or a paragraph of prose. */
export interface Line {
  /** `changed`: its parts show the changed words. */
  readonly kind: Part['kind'] | 'changed'
  readonly parts: readonly Part[]
}

/** A paragraph with its differences, or the number of paragraphs that both texts have. */
export type Piece = ComparedPiece | { readonly unchanged: number }

interface ComparedPiece {
  readonly isCommand: boolean
  readonly lines: readonly Line[]
}

type Paragraph = ReturnType<typeof paragraphsOf>[number]

/** Compares two texts paragraph by paragraph: prose word by word, commands line by line. */
export function piecesOf(before: string, after: string): readonly Piece[] {
  const runs = runsOf(
    paragraphsOf(before),
    paragraphsOf(after),
    (paragraph, other) => collapseSpaces(paragraph.text) === collapseSpaces(other.text),
  )
  return runs.flatMap((run): readonly Piece[] => {
    if (run.same.length > 0) return run.same.map((paragraph) => pieceOf(paragraph, 'same'))
    return piecesOfRun(run)
  })
}

/** Largest length of common paragraphs that are shown beside a difference. */
const CONTEXT = 300

/** Omits common paragraphs, except short ones beside a difference; `isCut` says whether any are omitted. */
export function shortenedPieces(pieces: readonly Piece[]): {
  readonly pieces: readonly Piece[]
  readonly isCut: boolean
} {
  const shortened: Piece[] = []
  let isCut = false
  let unchangedCount = 0
  const isSame = (piece: Piece | undefined): boolean => piece === undefined || isUnchanged(piece)
  const addUnchanged = (): void => {
    if (unchangedCount > 0) shortened.push({ unchanged: unchangedCount })
    unchangedCount = 0
  }
  pieces.forEach((piece, index) => {
    const isFar = isSame(pieces[index - 1]) && isSame(pieces[index + 1])
    if (isUnchanged(piece) && (isFar || lengthOf(piece) > CONTEXT)) {
      unchangedCount += 1
      return
    }
    addUnchanged()
    const short = shortenedPiece(piece)
    isCut ||= short.isCut
    shortened.push(short.piece)
  })
  isCut ||= unchangedCount > 0 || shortened.some((piece) => 'unchanged' in piece)
  addUnchanged()
  return { pieces: shortened, isCut }
}

function isUnchanged(piece: Piece): boolean {
  return 'unchanged' in piece || piece.lines.every(({ kind }) => kind === 'same')
}

function lengthOf(piece: Piece): number {
  return 'unchanged' in piece
    ? 0
    : piece.lines.flatMap(({ parts }) => parts).reduce((sum, { text }) => sum + text.length, 0)
}

function shortenedPiece(piece: Piece): { readonly piece: Piece; readonly isCut: boolean } {
  if ('unchanged' in piece) return { piece, isCut: false }
  let isCut = false
  const lines = piece.lines.map((line): Line => {
    const short = line.kind === 'changed' ? shortenParts(line.parts).parts : line.parts.map(withoutUnbrokenPart)
    isCut ||= short.some((part, index) => part !== line.parts[index])
    return { ...line, parts: short }
  })
  return { piece: { ...piece, lines }, isCut }
}

function withoutUnbrokenPart(part: Part): Part {
  const text = withoutUnbroken(part.text)
  return text === part.text ? part : { ...part, text }
}

/** Number of added paragraphs that are compared with a removed one. */
const LOOKAHEAD = 20

/** Pairs each removed paragraph with the next similar added one; the others stay single. */
function piecesOfRun({ removed, added }: Run<Paragraph>): readonly Piece[] {
  const pieces: Piece[] = []
  let pending: Paragraph[] = []
  let from = 0
  for (const paragraph of removed) {
    const ahead = added.slice(from, from + LOOKAHEAD).findIndex((candidate) => isAlike(paragraph, candidate))
    const twin = added[from + ahead]
    if (ahead === -1 || twin === undefined) {
      pending.push(paragraph)
      continue
    }
    pieces.push(...replacedPieces(pending, added.slice(from, from + ahead)), changedPiece(paragraph, twin))
    pending = []
    from += ahead + 1
  }
  return [...pieces, ...replacedPieces(pending, added.slice(from))]
}

/** A paragraph that replaces another one is paired with it. */
function replacedPieces(removed: readonly Paragraph[], added: readonly Paragraph[]): readonly Piece[] {
  const pieces = [
    ...removed.map((paragraph) => pieceOf(paragraph, 'removed')),
    ...added.map((paragraph) => pieceOf(paragraph, 'added')),
  ]
  const [before, after] = pieces
  const isOneForOne = removed.length === 1 && added.length === 1 && before?.isCommand === after?.isCommand
  if (!isOneForOne || before === undefined || after === undefined) return pieces
  return [{ isCommand: before.isCommand, lines: [...before.lines, ...after.lines] }]
}

function pieceOf({ text, isCommand }: Paragraph, kind: Part['kind']): ComparedPiece {
  const texts = isCommand ? text.split('\n') : [text]
  return { isCommand, lines: texts.map((line) => lineOf(line, kind)) }
}

function lineOf(text: string, kind: Part['kind']): Line {
  return { kind, parts: [{ kind, text }] }
}

function changedPiece(before: Paragraph, after: Paragraph): Piece {
  const { isCommand } = after
  if (!isCommand)
    return {
      isCommand,
      lines: [
        {
          kind: 'changed',
          parts: withoutBlanks(differencesOf(withTrimmedLines(before.text), withTrimmedLines(after.text))),
        },
      ],
    }
  const runs = runsOf(
    before.text.split('\n'),
    after.text.split('\n'),
    (line, other) => collapseSpaces(line) === collapseSpaces(other),
  )
  const lines = runs.flatMap((run) => [
    ...run.same.map((line) => lineOf(line, 'same')),
    ...run.removed.map((line) => lineOf(line, 'removed')),
    ...run.added.map((line) => lineOf(line, 'added')),
  ])
  return { isCommand, lines }
}

function withTrimmedLines(text: string): string {
  return text.replaceAll(/[ \t]*\n[ \t]*/g, '\n')
}

/** Ignores differences in blanks. */
function withoutBlanks(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = []
  for (const [index, part] of parts.entries()) {
    const kind = isBlankAt(parts, index) ? 'same' : part.kind
    if (kind !== part.kind && part.kind === 'removed') continue
    const last = joined.at(-1)
    if (kind === 'same' && last?.kind === 'same') joined[joined.length - 1] = { kind, text: last.text + part.text }
    else joined.push({ kind, text: part.text })
  }
  return joined
}

/** Whether a difference and its counterpart contain only blanks. */
function isBlankAt(parts: readonly Part[], index: number): boolean {
  const part = parts[index]
  if (part === undefined || part.kind === 'same') return false
  const twin = parts[part.kind === 'removed' ? index + 1 : index - 1]
  const isPair = twin !== undefined && twin.kind !== 'same' && twin.kind !== part.kind
  return (part.text + (isPair ? twin.text : '')).trim() === ''
}

type Run<T> = Readonly<Record<Part['kind'], readonly T[]>>

/** Limit of the differences: very different lists take long, and their differences are not useful. */
const LONGEST_MS = 60

/** The common items of both lists, and between them those of only one list. */
function runsOf<T>(
  before: readonly T[],
  after: readonly T[],
  isSame: (item: T, other: T) => boolean,
): readonly Run<T>[] {
  const changes = diffArrays([...before], [...after], { comparator: isSame, timeout: LONGEST_MS })
  if (changes === undefined) return [{ same: [], removed: before, added: after }]
  const runs: Run<T>[] = []
  for (const { value, added, removed } of changes) {
    const last = runs.at(-1)
    if (!added && !removed) runs.push({ same: value, removed: [], added: [] })
    else if (last === undefined || last.same.length > 0)
      runs.push({ same: [], removed: removed ? value : [], added: added ? value : [] })
    else runs[runs.length - 1] = { ...last, ...(added ? { added: value } : { removed: value }) }
  }
  return runs
}

/** Smallest share of common words of two similar paragraphs. */
const LEAST_ALIKE = 0.5

function isAlike(paragraph: Paragraph, other: Paragraph): boolean {
  if (paragraph.isCommand !== other.isCommand) return false
  const [words, otherWords] = [wordsIn(paragraph.text), wordsIn(other.text)]
  const common = [...words].filter((word) => otherWords.has(word)).length
  return (2 * common) / (words.size + otherWords.size) >= LEAST_ALIKE
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''))
}

function collapseSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
