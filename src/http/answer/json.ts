import { inTurns } from '../../platform/concurrency/turns.ts'
import { hasLongList, jsonPieces } from '../../platform/json.ts'

/** A value as JSON, in pieces if it has long lists, so that other requests are answered in between. */
export function encodeJson(value: unknown): string | AsyncGenerator<string, void> {
  return hasLongList(value) ? inTurns(jsonPieces(value)) : JSON.stringify(value)
}
