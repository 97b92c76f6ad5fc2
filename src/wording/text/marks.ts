import type { Piece } from './sentences.ts'

const QUOTED = /"[^"\n]{1,400}"|\u201c[^\u201d\n]{1,400}\u201d/g

/** Prose with what is quoted blanked, so that places stay as they are. */
export function spokenIn(prose: readonly Piece[]): readonly Piece[] {
  return prose.map(({ start, end, text: block }) => ({
    ...{ start, end },
    text: block.replace(QUOTED, (quoted) => ' '.repeat(quoted.length)),
  }))
}

export interface Hit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Where a pattern occurs in what the author says. */
export function hitsIn(pieces: readonly Piece[], pattern: RegExp): readonly Hit[] {
  return pieces.flatMap(({ start, text }) =>
    Array.from(text.matchAll(pattern), ({ 0: hit, index }) => ({
      ...{ start: start + index, end: start + index + hit.length, text: hit },
    })),
  )
}
