import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ReleaseFolder } from '../../src/ontology/index.ts'
import { OpeningRetry } from '../../src/ontology/opening-retry.ts'
import { temporaryFolder } from '../support/folder.ts'

describe('OpeningRetry', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is tried again after twice as long each time, up to five minutes', async () => {
    const trouble = new OpeningRetry(new ReleaseFolder(await temporaryFolder()))
    expect(await trouble.isWorthTrying()).toBe(true)
    const pauses: number[] = []
    for (let failures = 0; failures < 10; failures += 1) {
      const { retryInMs } = await trouble.recordFailure(new Error('damaged'))
      pauses.push(retryInMs)
      vi.advanceTimersByTime(retryInMs - 1)
      expect(await trouble.isWorthTrying()).toBe(false)
      vi.advanceTimersByTime(1)
      expect(await trouble.isWorthTrying()).toBe(true)
    }
    const seconds = [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
    expect(pauses).toStrictEqual(seconds.map((pause) => pause * 1000))
  })

  it('is tried at once, and counted from zero, when the files change', async () => {
    const folder = new ReleaseFolder(await temporaryFolder())
    const trouble = new OpeningRetry(folder)
    expect(await trouble.recordFailure(new Error('damaged'))).toMatchObject({ isNew: true })
    expect(await trouble.recordFailure(new Error('damaged'))).toStrictEqual({ isNew: false, retryInMs: 4000 })
    await folder.activate('1.0.0')
    expect(await trouble.isWorthTrying()).toBe(true)
    expect(await trouble.recordFailure(new Error('damaged'))).toStrictEqual({ isNew: true, retryInMs: 2000 })
    expect(trouble.clear()).toBe(true)
    expect(trouble.clear()).toBe(false)
    expect(await trouble.isWorthTrying()).toBe(true)
  })
})
