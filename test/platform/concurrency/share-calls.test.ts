// @module-tag node

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { shareCalls } from '../../../src/platform/concurrency/share-calls.ts'

describe('Simultaneous questions', () => {
  it('are sent together, and each gets its own answer', async () => {
    const asked: (readonly number[])[] = []
    const ask = shareCalls((numbers: readonly number[]) => {
      asked.push(numbers)
      return Promise.resolve(numbers.map((number) => number * 2))
    }, 5)
    expect(await Promise.all([ask(1), ask(2), ask(3)])).toEqual([2, 4, 6])
    expect(await ask(4)).toBe(8)
    expect(asked).toEqual([[1, 2, 3], [4]])
  })

  it('that arrive while others are being answered are sent separately', async () => {
    let state = 'before'
    const ask = shareCalls(async (questions: readonly string[]) => {
      const now = state
      await sleep(20)
      return questions.map((question) => `${question} ${now}`)
    }, 0)
    const first = ask('one')
    await sleep(10)
    state = 'after'
    expect(await Promise.all([first, ask('two')])).toEqual(['one before', 'two after'])
  })

  it('fail together without affecting later ones', async () => {
    let fails = true
    const ask = shareCalls((questions: readonly number[]) => {
      if (fails) throw new Error('No')
      return Promise.resolve(questions)
    }, 0)
    const failed = await Promise.allSettled([ask(1), ask(2)])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    expect(await ask(3)).toBe(3)
  })

  it('are refused if an answer is missing', async () => {
    const ask = shareCalls((questions: readonly number[]) => Promise.resolve(questions.slice(1)), 0)
    await expect(Promise.all([ask(1), ask(2)])).rejects.toThrow('Not every question')
  })
})
