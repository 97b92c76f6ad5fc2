import { describe, expect, it } from 'vitest'
import { firstLines, nameSome } from '../../../src/guidance/parts/name-some.ts'

const NAMES = ['A', 'B', 'C']

describe('A list in a message', () => {
  it.each([
    [2, 'A, B and 1 more'],
    [3, 'A, B, C'],
    [4, 'A, B, C'],
  ])('has at most %d names, and the number of the others', (limit, message) => {
    expect(nameSome(NAMES, limit)).toBe(message)
  })

  it.each([
    [1, ['A', 'and 2 more']],
    [3, NAMES],
    [4, NAMES],
  ])('has at most %d lines, and the number of the others', (limit, lines) => {
    expect(firstLines(NAMES, limit)).toEqual(lines)
  })

  it('has twenty of them if nothing else is said', () => {
    const names = Array.from({ length: 22 }, (_, index) => String(index))
    expect(nameSome(names)).toMatch(/18, 19 and 2 more$/)
    expect(firstLines(names)).toHaveLength(21)
  })
})
