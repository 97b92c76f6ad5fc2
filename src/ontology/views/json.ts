import type { Format } from './view.ts'

const BATCH_SIZE = 500

export const JSON_FORMAT: Format = {
  mediaType: 'application/json; charset=utf-8',
  write: jsonPieces,
}

/**
 * Writes the text of `JSON.stringify` in pieces: long arrays are cut every 500 members, so that the largest answers
 * (hundreds of megabytes) are never in memory as one string.
 */
export function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > BATCH_SIZE) yield* arrayPieces(value)
  else if (isObject(value)) yield* objectPieces(value)
  else yield JSON.stringify(value)
}

function* arrayPieces(array: readonly unknown[]): Generator<string> {
  for (let start = 0; start < array.length; start += BATCH_SIZE) {
    const slice = JSON.stringify(array.slice(start, start + BATCH_SIZE))
    yield (start === 0 ? '[' : ',') + slice.slice(1, -1)
  }
  yield ']'
}

function* objectPieces(object: Readonly<Record<string, unknown>>): Generator<string> {
  let separator = '{'
  for (const [key, member] of Object.entries(object)) {
    yield `${separator}${JSON.stringify(key)}:`
    yield* jsonPieces(member)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
