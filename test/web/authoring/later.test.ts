import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Later, untilPause } from '../../../src/web/application/editor/saving/later.ts'

describe('What is done later', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is done once for all that asked for it, and again for who asks after that', () => {
    const act = vi.fn<() => void>()
    const later = new Later(untilPause(100), act)
    later.ask()
    vi.advanceTimersByTime(60)
    later.ask()
    vi.advanceTimersByTime(60)
    expect(act).toHaveBeenCalledTimes(1)
    later.askAgain()
    vi.advanceTimersByTime(60)
    later.askAgain()
    vi.advanceTimersByTime(60)
    expect(act).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(60)
    expect(act).toHaveBeenCalledTimes(2)
  })

  it('is done at once where somebody says so, if it was asked for and not called off', () => {
    const act = vi.fn<() => void>()
    const later = new Later(untilPause(100), act)
    later.now()
    later.ask()
    later.now()
    later.now()
    expect(act).toHaveBeenCalledTimes(1)
    later.ask()
    later.cancel()
    later.now()
    vi.advanceTimersByTime(1000)
    expect(act).toHaveBeenCalledTimes(1)
  })
})
