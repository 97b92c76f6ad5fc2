/** How many bytes of a document are decoded and parsed at a time. */
export const PIECE_BYTES = 65_536

/** The bytes of a document that is in memory, in pieces. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES)
}
