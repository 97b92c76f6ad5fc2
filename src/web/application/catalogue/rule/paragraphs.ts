interface Paragraph {
  readonly text: string
  /** Whether it begins at the prompt of a shell. */
  readonly isCommand: boolean
}

const PROMPT = /^\s*(?:[$#] |(?:PS )?[A-Z]:\\[^>\n]*> ?)(?=\S)/

/** Splits a text at empty lines. */
export function paragraphsOf(text: string): readonly Paragraph[] {
  return text
    .replaceAll('\r', '')
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => ({ text: paragraph.trimEnd(), isCommand: PROMPT.test(paragraph) }))
    .filter((paragraph) => paragraph.text !== '')
}

/** The commands of a paragraph as they are typed: without the prompts, and without the output between them. */
export function commandsOf(paragraph: string): string {
  const commands: string[] = []
  let goesOn = false
  for (const line of paragraph.split('\n')) {
    const isTyped = PROMPT.test(line)
    if (isTyped || goesOn) commands.push(isTyped ? line.replace(PROMPT, '') : line)
    goesOn = (isTyped || goesOn) && line.endsWith('\\')
  }
  return commands.join('\n')
}
