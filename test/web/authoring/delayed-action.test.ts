import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DelayedAction, afterDelay } from '../../../src/web/application/editor/saving/delayed-action.ts'

describe('Delayed work', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('runs once for all earlier calls, and again for later ones', () => {
    const act = vi.fn<() => void>()
    const action = new DelayedAction(afterDelay(100), act)
    action.start()
    vi.advanceTimersByTime(60)
    action.start()
    vi.advanceTimersByTime(60)
    expect(act).toHaveBeenCalledTimes(1)
    action.restart()
    vi.advanceTimersByTime(60)
    action.restart()
    vi.advanceTimersByTime(60)
    expect(act).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(60)
    expect(act).toHaveBeenCalledTimes(2)
  })

  it('runs immediately on flush, if it is pending and not cancelled', () => {
    const act = vi.fn<() => void>()
    const action = new DelayedAction(afterDelay(100), act)
    action.flush()
    action.start()
    action.flush()
    action.flush()
    expect(act).toHaveBeenCalledTimes(1)
    action.start()
    action.cancel()
    action.flush()
    vi.advanceTimersByTime(1000)
    expect(act).toHaveBeenCalledTimes(1)
  })
})
