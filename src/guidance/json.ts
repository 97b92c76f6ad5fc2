import { setImmediate as nextTurn } from 'node:timers/promises'

/** Elements of a list that are written at once: others are answered in between. */
const PORTION = 50

/** A value as JSON. Long lists are written a portion at a time: they would keep others waiting. */
export async function encodeJson(value: unknown): Promise<string | Uint8Array> {
  const pieces: Uint8Array[] = []
  for (const piece of piecesOf(value)) {
    if (piece.isAll) return piece.text
    pieces.push(Buffer.from(piece.text))
    await nextTurn()
  }
  return Buffer.concat(pieces)
}

interface Piece {
  readonly text: string
  /** There is no other. */
  readonly isAll: boolean
}

function* piecesOf(value: unknown): Generator<Piece> {
  if (isLong(value)) {
    yield* listed(value, '')
  } else if (hasLong(value)) {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      const head = `${before}${JSON.stringify(name)}:`
      if (isLong(member)) yield* listed(member, head)
      else yield { text: `${head}${JSON.stringify(member)}`, isAll: false }
      before = ','
    }
    yield { text: '}', isAll: false }
  } else yield { text: JSON.stringify(value), isAll: true }
}

function* listed(values: readonly unknown[], head: string): Generator<Piece> {
  for (let at = 0; at < values.length; at += PORTION) {
    const text = JSON.stringify(values.slice(at, at + PORTION))
    yield { text: `${at === 0 ? `${head}[` : ','}${text.slice(1, -1)}`, isAll: false }
  }
  yield { text: ']', isAll: false }
}

function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > PORTION
}

function hasLong(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.values(value).some(isLong)
}
