import { replaceForbidden } from '../../../../platform/characters.ts'

/** Characters of a cell in a worksheet; more would make the file unreadable (Excel specifications). */
const MAX_CELL = 32_767
const CUT_NOTICE = '\n[Cut here: a cell of a worksheet holds no more. The CSV has all of it.]'

/** A text as a worksheet's cell can store it. */
export function cellText(text: string | null): string | null {
  const whole = replaceForbidden(text ?? '')
  if (whole === '') return null
  // A cut through a character must not leave half of it.
  const beginning = whole.slice(0, MAX_CELL - CUT_NOTICE.length).replace(/[\ud800-\udbff]$/, '')
  return escaped(whole.length <= MAX_CELL ? whole : beginning + CUT_NOTICE)
}

/**
 * Escapes texts that look like an escape, because readers would take `_x0041_` for an `A` (ECMA-376 §22.9.2.19),
 * and carriage returns, which XML does not keep.
 */
function escaped(text: string): string {
  return text.replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_').replaceAll('\r', '_x000D_')
}

export function isTruncated(cell: string): boolean {
  return cell.endsWith(CUT_NOTICE)
}

/** The stored text, if the cell is a beginning of it that an export has truncated; else the cell. */
export function restoreTruncated(cell: string, storedText: string | null): string {
  if (!isTruncated(cell) || storedText === null) return cell
  return replaceForbidden(storedText).startsWith(cell.slice(0, -CUT_NOTICE.length)) ? storedText : cell
}

/** The name that people see of a column, from its number from 0: `A`, `Z`, `AA`. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`
}
