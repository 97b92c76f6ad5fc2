import { describe, expect, it } from 'vitest'
import { takeTurn } from '../../../../src/guidance/catalogue/imports/turns.ts'

describe('The next import', () => {
  it('is taken from an account without a running import, otherwise the oldest', () => {
    const [ann, bob] = [{ actor: { id: 1 } }, { actor: { id: 2 } }]
    const waiting = [ann, ann, bob]
    expect(takeTurn(waiting, new Set([1]))).toBe(bob)
    expect(takeTurn(waiting, new Set([1, 2]))).toBe(ann)
    expect(takeTurn(waiting, new Set())).toBe(ann)
    expect(takeTurn(waiting, new Set())).toBeUndefined()
  })
})
