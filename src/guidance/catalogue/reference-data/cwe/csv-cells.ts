/** The values of one record in a cell, by key; a key may be repeated. */
export type CellRecord = ReadonlyMap<string, readonly string[]>

/**
 * Splits a cell such as `::NATURE:ChildOf:CWE ID:710::NATURE:PeerOf:CWE ID:79::` into records. Values may contain
 * colons, so only the given keys end a value.
 */
export function recordsOf(cell: string, keys: readonly string[]): readonly CellRecord[] {
  const text = cell.replace(/^::/, '').replace(/::$/, '')
  const marks = [...text.matchAll(new RegExp(`(^|::|:)(${keys.join('|')}):`, 'g'))]
  const records: Map<string, string[]>[] = []
  for (const [index, mark] of marks.entries()) {
    const [matchedText, separator, key = ''] = mark
    const value = text.slice(mark.index + matchedText.length, marks[index + 1]?.index ?? text.length)
    const isNext = separator !== ':' || records.length === 0
    const record = isNext ? new Map<string, string[]>() : records.at(-1)
    if (record === undefined) continue
    if (isNext) records.push(record)
    record.set(key, [...(record.get(key) ?? []), value.trim()])
  }
  return records
}

/** Splits a cell such as `::Memory::File or Directory::` into values. */
export function valuesOf(cell: string): string[] {
  return cell
    .split('::')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

/** The first value of a key; null where there is none. */
export function valueOf(record: CellRecord, key: string): string | null {
  return filledOrNull(record.get(key)?.[0])
}

/** Returns null for the empty text too. */
export function filledOrNull(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text
}
