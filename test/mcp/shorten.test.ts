import { describe, expect, it } from 'vitest'
import { MAX_CHARACTERS, shapeAnswer, shorten } from '../../src/mcp/shape-answer.ts'

describe('A shortened answer', () => {
  it('is the answer itself if it fits', () => {
    const value = { rules: [1, 2, 3] }
    expect(shorten(value, 100)).toEqual({ value, shortened: [] })
  })

  it('has shorter lists, and says which they are and how long they were', () => {
    const value = { rules: Array.from({ length: 300 }, (_, index) => ({ at: index, ccis: ['a', 'b'] })) }
    const { value: shown, shortened } = shorten(value, 4000)
    expect(JSON.stringify(shown).length).toBeLessThanOrEqual(4000)
    expect(shortened).toEqual([{ list: 'rules', shown: 100, of: 300 }])
  })

  it('keeps texts whole, however long they are', () => {
    const check = 'x'.repeat(5000)
    expect(shorten({ check, list: [1, 2] }, 100).value).toEqual({ check, list: [] })
  })
})

it('The other answers beside the main one have a quarter of its characters each', () => {
  const answer = (value: unknown) => ({ status: 200, address: '/a', value })
  const list = Array.from({ length: 500 }, () => 'x'.repeat(100))
  const { content } = shapeAnswer({ main: answer({}), others: { first: answer(list) } })
  expect(JSON.stringify(content).length).toBeLessThan(MAX_CHARACTERS / 4 + 1000)
})
