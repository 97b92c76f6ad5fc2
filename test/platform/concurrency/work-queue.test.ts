import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { WorkQueue } from '../../../src/platform/concurrency/work-queue.ts'

describe('WorkQueue', () => {
  it('runs one task at a time in the order in which they were given', async () => {
    const queue = new WorkQueue()
    const seen: string[] = []
    const task = (name: string, ms: number) => async (): Promise<string> => {
      seen.push(`${name} begins`)
      await sleep(ms)
      seen.push(`${name} ends`)
      return name
    }

    const results = await Promise.all([queue.run(task('first', 20)), queue.run(task('second', 0))])

    expect(results).toEqual(['first', 'second'])
    expect(seen).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })

  it('goes on after a task that fails', async () => {
    const queue = new WorkQueue()
    const failure = queue.run(async () => Promise.reject(new Error('no')))
    const next = queue.run(async () => Promise.resolve('yes'))

    await expect(failure).rejects.toThrow('no')
    await expect(next).resolves.toBe('yes')
  })

  it('refuses a task beyond its limit until another has ended', async () => {
    const queue = new WorkQueue({ tasks: 1, refusal: 'One is running.' })
    let finish = (): void => undefined
    const running = queue.run(async () => new Promise<void>((resolve) => (finish = resolve)))
    await sleep(0)

    await expect(queue.run(async () => Promise.resolve())).rejects.toMatchObject({
      code: 'overloaded',
      message: 'One is running.',
    })
    finish()
    await running
    await expect(queue.run(async () => Promise.resolve('again'))).resolves.toBe('again')
  })

  it('settles once all tasks have ended', async () => {
    const queue = new WorkQueue()
    let ended = 0
    for (const ms of [10, 0]) {
      void queue.run(async () => {
        await sleep(ms)
        ended += 1
      })
    }

    await queue.settled()

    expect(ended).toBe(2)
  })
})
