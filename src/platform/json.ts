/** A longer list is written in pieces of so many members. */
const BATCH_SIZE = 50

/** Parses JSON of unknown content; null if the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** An object as JSON, without its closing brace: for documents that are written in pieces. */
export function openObject(value: object): string {
  return JSON.stringify(value).slice(0, -1)
}

/**
 * Writes the text of `JSON.stringify` in pieces: objects and long lists are cut, so that the largest answers (hundreds of
 * megabytes) are never in memory as one string.
 */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (isLong(value)) yield* listPieces(value)
  else if (isObject(value)) yield* objectPieces(value)
  else yield JSON.stringify(value)
}

/** Whether a value is a long list or has one, at any depth of its objects. */
export function hasLongList(value: unknown): boolean {
  return isLong(value) || (isObject(value) && Object.values(value).some(hasLongList))
}

function* listPieces(list: readonly unknown[]): Generator<string, void> {
  for (let from = 0; from < list.length; from += BATCH_SIZE) {
    const text = JSON.stringify(list.slice(from, from + BATCH_SIZE))
    yield `${from === 0 ? '[' : ','}${text.slice(1, -1)}`
  }
  yield ']'
}

function* objectPieces(object: Readonly<Record<string, unknown>>): Generator<string, void> {
  let separator = '{'
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    yield* jsonPieces(member)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > BATCH_SIZE
}

/** An object whose members `JSON.stringify` writes. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value)
}
