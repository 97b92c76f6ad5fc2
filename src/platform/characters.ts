/**
 * Characters that XML 1.0 cannot hold, not even as references (production 2), so that no XCCDF, checklist or
 * workbook could have them. They include what the databases cannot hold: NUL, and halves of characters.
 */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const ALL_FORBIDDEN = new RegExp(FORBIDDEN.source, 'gu')

/** Whether every file and both databases can hold a text and give it back unchanged. */
export function isStorable(text: string): boolean {
  return !FORBIDDEN.test(text)
}

/** The first of these characters: `U+FFFE at position 12`, counted in characters from 1. */
export function nameForbidden(text: string): string {
  const found = FORBIDDEN.exec(text)
  if (found === null) return ''
  const code = found[0].codePointAt(0) ?? 0
  const position = Array.from(text.slice(0, found.index)).length + 1
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} at position ${position}`
}

/** The text with something else in place of each such character: that it was there stays visible. */
export function replaceForbidden(text: string, by = '\ufffd'): string {
  return text.replaceAll(ALL_FORBIDDEN, by)
}

/** Folds a text for comparison: the same for `É`, `é` and its decomposed form. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
