import type { TextPiece } from './sentences.ts'

const QUOTED = /"[^"\n]{1,400}"|\u201c[^\u201d\n]{1,400}\u201d/g

/** Replaces quotations by blanks, so that positions do not change. */
export function blankQuotes(prose: readonly TextPiece[]): readonly TextPiece[] {
  return prose.map(({ start, end, text: block }) => ({
    start,
    end,
    text: block.replace(QUOTED, (quoted) => ' '.repeat(quoted.length)),
  }))
}

/** Finds a pattern in pieces of a text, with positions in the whole text. */
export function findHits(pieces: readonly TextPiece[], pattern: RegExp): readonly TextPiece[] {
  return pieces.flatMap(({ start, text }) =>
    Array.from(text.matchAll(pattern), ({ 0: hit, index }) => ({
      start: start + index,
      end: start + index + hit.length,
      text: hit,
    })),
  )
}
