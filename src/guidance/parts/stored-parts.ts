/** In bytes: SQLite writes it in about a millisecond. */
export const PART_BYTES = 256 * 1024

/** Splits a file into parts, each for a row of the database. */
export function* partsOf(file: Buffer): Generator<{ readonly position: number; readonly content: Buffer }, void> {
  for (let position = 0; position * PART_BYTES < file.length; position += 1)
    yield { position, content: file.subarray(position * PART_BYTES, (position + 1) * PART_BYTES) }
}
