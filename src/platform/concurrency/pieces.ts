import { nextTurn } from './turns.ts'

/** The pieces of a document, in order. */
export type Pieces = Iterable<string> | AsyncIterable<string>

const CHUNK_CHARACTERS = 65_536

/** The pieces as bytes, in chunks between which other requests run. */
export async function* yieldPieces(pieces: Pieces): AsyncGenerator<Uint8Array, void> {
  let chunk = ''
  for await (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield Buffer.from(chunk)
    chunk = ''
    await nextTurn()
  }
  if (chunk !== '') yield Buffer.from(chunk)
}
