import { inTurns } from '../../platform/concurrency/turns.ts'

/** Number of elements of a list in one piece, between which other requests are answered. */
const BATCH_SIZE = 50

/**
 * A value as JSON, in pieces if it has long lists, so that other requests are answered in between.
 */
export function encodeJson(value: unknown): string | AsyncGenerator<string, void> {
  if (isLong(value)) return inTurns(jsonArray(value))
  if (hasLong(value)) return inTurns(members(value))
  return JSON.stringify(value)
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
  for (let at = 0; at < values.length; at += BATCH_SIZE) {
    const text = JSON.stringify(values.slice(at, at + BATCH_SIZE))
    yield `${at === 0 ? '[' : ','}${text.slice(1, -1)}`
  }
  yield ']'
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > BATCH_SIZE
}

function hasLong(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.values(value).some(isLong)
}
