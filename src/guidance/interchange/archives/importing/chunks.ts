import { CHUNK, CHUNK_CHARACTERS } from '../format/limits.ts'

/** Few enough rows, and little enough text, that storing them keeps nobody waiting. */
export function* chunksOf<T>(items: readonly T[]): Generator<readonly T[], void> {
  let chunk: T[] = []
  let characters = 0
  for (const item of items) {
    chunk.push(item)
    characters += JSON.stringify(item).length
    if (chunk.length < CHUNK && characters < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}
