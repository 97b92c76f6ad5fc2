/** Styles of a text on a terminal; without colours, they do not change the text. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  /** If false, differences must be marked with signs. */
  readonly hasColours: boolean
}

/** The styles of a stream: none in a pipe or a file, or with NO_COLOR. */
export function styleOf(stream: NodeJS.WriteStream): Style {
  const hasColours = stream.isTTY && stream.hasColors()
  const mark =
    (on: number, off: number) =>
    (text: string): string =>
      hasColours ? `\u001B[${on}m${text}\u001B[${off}m` : text
  return {
    bold: mark(1, 22),
    dim: mark(2, 22),
    red: mark(31, 39),
    green: mark(32, 39),
    yellow: mark(33, 39),
    hasColours,
  }
}

/** Replaces control characters of a text that comes from a file, so that it cannot command the terminal. */
export function escapeControls(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '\u{FFFD}')
}
