import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SharedWork } from '../../../src/platform/concurrency/shared-work.ts'

describe('SharedWork', () => {
  it('makes a value once for simultaneous callers', async () => {
    const work = new SharedWork<number>()
    let made = 0
    const make = async (): Promise<number> => {
      await sleep(5)
      made += 1
      return made
    }

    await expect(Promise.all([work.run('a', make), work.run('a', make), work.run('b', make)])).resolves.toEqual([
      1, 1, 2,
    ])
    expect(work.size).toBe(0)
  })

  it('makes the value again after a failure that all waiting callers received', async () => {
    const work = new SharedWork<number>()
    const fail = async (): Promise<number> => Promise.reject(new Error('no'))

    const [first, second] = await Promise.allSettled([work.run('a', fail), work.run('a', fail)])

    expect([first.status, second.status]).toEqual(['rejected', 'rejected'])
    await expect(work.run('a', async () => Promise.resolve(1))).resolves.toBe(1)
  })

  it('settles once nothing is being made, including what was started meanwhile', async () => {
    const work = new SharedWork<string>()
    let ended = 0
    const make = async (): Promise<string> => {
      await sleep(5)
      ended += 1
      return ''
    }
    void work.run('a', async () => {
      void work.run('b', make)
      return make()
    })

    await work.settled()

    expect(ended).toBe(2)
  })
})
