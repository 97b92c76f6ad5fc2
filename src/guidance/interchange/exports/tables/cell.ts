import { replaceForbidden } from '../../../../platform/characters.ts'

/** The number of characters in a worksheet cell. Files with longer cells are unreadable (Excel specifications). */
const MAX_CELL = 32_767
const CUT_NOTICE = '\n[Cut here: a cell of a worksheet holds no more. The CSV has all of it.]'

/** Shortens and escapes a text for a worksheet cell. */
export function cellText(text: string | null): string | null {
  const storableText = replaceForbidden(text ?? '')
  if (storableText === '') return null
  // Removes half of a character that the cut would leave.
  const beginning = storableText.slice(0, MAX_CELL - CUT_NOTICE.length).replace(/[\ud800-\udbff]$/, '')
  return escaped(storableText.length <= MAX_CELL ? storableText : beginning + CUT_NOTICE)
}

/**
 * Escapes carriage returns, which XML does not keep, and texts that look like an escape: readers would take `_x0041_`
 * for an `A` (ECMA-376 §22.9.2.19).
 */
function escaped(text: string): string {
  return text.replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_').replaceAll('\r', '_x000D_')
}

export function isTruncated(cell: string): boolean {
  return cell.endsWith(CUT_NOTICE)
}

/** The stored text if the cell is its beginning, cut by an export; else the text of the cell. */
export function restoreTruncated(cell: string, storedText: string | null): string {
  if (!isTruncated(cell) || storedText === null) return cell
  return replaceForbidden(storedText).startsWith(cell.slice(0, -CUT_NOTICE.length)) ? storedText : cell
}

/** The name of a column, such as `A`, `Z` or `AA`, from its index. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`
}
