import { BATCH_SIZE, CHUNK_CHARACTERS } from '../format/limits.ts'

/** Splits items into chunks so small that storing one does not block others. */
export function* chunksOf<T>(items: readonly T[]): Generator<readonly T[], void> {
  let chunk: T[] = []
  let characters = 0
  for (const item of items) {
    chunk.push(item)
    characters += JSON.stringify(item).length
    if (chunk.length < BATCH_SIZE && characters < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}
