import { replaceForbidden } from '../../../../platform/characters.ts'

/** Of one cell in a worksheet; more would make the file unreadable (Excel specifications). */
const MAX_CELL = 32_767
const CUT = '\n[Cut here: a cell of a worksheet holds no more. The CSV has all of it.]'

function lines(text: string): string {
  return replaceForbidden(text).replaceAll(/\r\n?/g, '\n')
}

/** A text as a cell of a worksheet can hold it. */
export function cellText(text: string | null): string | null {
  const whole = lines(text ?? '')
  if (whole === '') return null
  // The cut must not leave half of a character.
  const begun = whole.slice(0, MAX_CELL - CUT.length).replace(/[\ud800-\udbff]$/, '')
  return escaped(whole.length <= MAX_CELL ? whole : begun + CUT)
}

/**
 * Texts that look like an escape are escaped, or readers would take `_x0041_` for an `A` (ECMA-376
 * §22.9.2.19); so is the one character that the library drops.
 */
function escaped(text: string): string {
  return text.replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_').replaceAll('\x7f', '_x007F_')
}

export function isCut(cell: string): boolean {
  return cell.endsWith(CUT)
}

/** What a cell says that may have been cut when it was exported: all of the text that it begins. */
export function uncut(cell: string, known: string | null): string {
  if (!isCut(cell) || known === null) return cell
  return lines(known).startsWith(cell.slice(0, -CUT.length)) ? known : cell
}
