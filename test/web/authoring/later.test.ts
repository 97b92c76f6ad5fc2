import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Later, untilPause } from '../../../src/web/application/editor/saving/later.ts'

describe('Delayed work', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('runs once for all earlier calls, and again for later ones', () => {
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

  it('runs immediately on flush, if it is pending and not cancelled', () => {
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
