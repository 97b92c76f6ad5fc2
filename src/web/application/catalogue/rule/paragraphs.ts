interface Paragraph {
  readonly text: string
  /** Whether it begins at the prompt of a shell. */
  readonly isCommand: boolean
}

const PROMPT = /^\s*(?:[$#] |(?:PS )?[A-Z]:\\[^>\n]*> ?)\S/

/** Splits a text at empty lines. */
export function paragraphsOf(text: string): readonly Paragraph[] {
  return text
    .replaceAll('\r', '')
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => ({ text: paragraph.trimEnd(), isCommand: PROMPT.test(paragraph) }))
    .filter((paragraph) => paragraph.text !== '')
}
