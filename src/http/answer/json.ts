import { nextTurn } from '../../platform/concurrency/turns.ts'

/** Elements of a list that are written at once: others are answered in between. */
const PORTION = 50

/**
 * A value as JSON, in pieces if it has long lists: while one piece is on its way the next one is written,
 * and others are answered in between.
 */
export function encodeJson(value: unknown): string | AsyncGenerator<string, void> {
  if (isLong(value)) return inTurns(jsonArray(value))
  if (hasLong(value)) return inTurns(members(value))
  return JSON.stringify(value)
}

async function* inTurns(pieces: Generator<string, void>): AsyncGenerator<string, void> {
  for (const piece of pieces) {
    yield piece
    await nextTurn()
  }
}

function* members(value: Readonly<Record<string, unknown>>): Generator<string, void> {
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    if (isLong(member)) yield* jsonArray(member)
    else yield JSON.stringify(member)
    before = ','
  }
  yield '}'
}

function* jsonArray(values: readonly unknown[]): Generator<string, void> {
  for (let at = 0; at < values.length; at += PORTION) {
    const text = JSON.stringify(values.slice(at, at + PORTION))
    yield `${at === 0 ? '[' : ','}${text.slice(1, -1)}`
  }
  yield ']'
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > PORTION
}

function hasLong(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.values(value).some(isLong)
}
