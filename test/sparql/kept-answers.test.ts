import { describe, expect, it } from 'vitest'
import { KeptAnswers } from '../../src/sparql/kept-answers.ts'

const body = Uint8Array.of(1, 2, 3)
const QUICK_MS = 1

describe('An answer is kept', () => {
  it('when it was asked for before, since most questions are asked once', () => {
    const kept = new KeptAnswers()
    kept.keep('question', body, QUICK_MS)
    expect(kept.get('question')).toBeUndefined()
    kept.keep('question', body, QUICK_MS)
    expect(kept.get('question')).toBe(body)
    expect(kept.get('another one')).toBeUndefined()
  })

  it('at once when it took long', () => {
    const kept = new KeptAnswers()
    kept.keep('question', body, 100)
    expect(kept.get('question')).toBe(body)
  })

  it('also when thousands were asked between', () => {
    const kept = new KeptAnswers()
    kept.keep('question', body, QUICK_MS)
    for (let other = 0; other < 2000; other += 1) kept.keep(`${other}`, body, QUICK_MS)
    kept.keep('question', body, QUICK_MS)
    expect(kept.get('question')).toBe(body)
  })

  it('unless it is larger than a megabyte', () => {
    const kept = new KeptAnswers()
    kept.keep('question', new Uint8Array(1024 * 1024), 100)
    expect(kept.get('question')).toBeUndefined()
  })
})
