// @module-tag node

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitDocument } from '../../src/graph/split-document.ts'

const PIECE_BYTES = 400
const node = fc.integer({ min: 0, max: 60 }).map((label) => `_:b${label}`)
const iri = fc.integer({ min: 0, max: 60 }).map((label) => `<a:${label}>`)
const text = fc.string({ unit: 'binary', maxLength: 40 }).map((value) => JSON.stringify(value))
const line = fc.tuple(fc.oneof(node, iri), iri, fc.oneof(node, iri, text)).map((terms) => `${terms.join(' ')} .`)

function piecesOf(lines: readonly string[]): readonly (readonly string[])[] {
  const document = new TextEncoder().encode(lines.map((content) => `${content}\n`).join(''))
  return Array.from(splitDocument(document, PIECE_BYTES), (piece) =>
    new TextDecoder()
      .decode(piece)
      .split('\n')
      .filter((content) => content !== ''),
  )
}

describe('A document that is split', () => {
  it('keeps every line, and no blank node is in two pieces', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
        const pieces = piecesOf(lines)
        expect(pieces.flat().sort()).toStrictEqual([...lines].sort())
        const labels = pieces.flatMap((piece) => [...new Set(piece.join('\n').match(/_:b\d+/g))])
        expect(labels).toHaveLength(new Set(labels).size)
      }),
    )
  })

  it('has small pieces if blank nodes connect few lines', () => {
    const lines = Array.from({ length: 500 }, (_unused, index) => [
      `<a:${index}> <a:p> _:b${index} .`,
      `_:b${index} <a:p> "${index}" .`,
    ])
    const lengths = piecesOf(lines.flat().sort()).map((piece) => piece.join('\n').length)
    expect(Math.max(...lengths)).toBeLessThan(1.2 * PIECE_BYTES)
    expect(lengths.length).toBeLessThan(60)
  })
})
