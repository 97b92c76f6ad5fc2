/**
 * Characters that XML 1.0 cannot hold, not even as references (production 2), so that no XCCDF, checklist or
 * workbook could have them. They include what the databases cannot hold: NUL, and halves of characters.
 */
const FORBIDDEN_CHARACTER = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const ALL_FORBIDDEN = new RegExp(FORBIDDEN_CHARACTER.source, 'gu')

/** Whether a text can be stored unchanged in every file format and both databases. */
export function isStorable(text: string): boolean {
  return !FORBIDDEN_CHARACTER.test(text)
}

/** Names the first forbidden character: `U+FFFE at position 12`, counted in characters from 1. */
export function nameForbidden(text: string): string {
  const match = FORBIDDEN_CHARACTER.exec(text)
  if (match === null) return ''
  const code = match[0].codePointAt(0) ?? 0
  const position = Array.from(text.slice(0, match.index)).length + 1
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')} at position ${position}`
}

/** Replaces forbidden characters by a visible mark. */
export function replaceForbidden(text: string, by = '\ufffd'): string {
  return text.replaceAll(ALL_FORBIDDEN, by)
}

/** Folds a text for comparison: the same for `É`, `é` and its decomposed form. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
