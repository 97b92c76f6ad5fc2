import { describe, expect, it, vi } from 'vitest'
import { refuseTooMany } from '../../../../src/guidance/identity/second-factor/one-time-codes.ts'
import { requireUser } from '../../../../src/guidance/identity/users/reader.ts'
import { guidanceService } from '../../../support/guidance.ts'

const guidance = guidanceService()

describe('After wrong one-time codes', () => {
  it.each([
    [true, 2, 0, null],
    [true, 3, 0, 600],
    [true, 3, 599, 1],
    [true, 3, 600, null],
    [true, 5, 0, 2400],
    [true, 30, 0, 86_400],
    [false, 4, 0, null],
    [false, 5, 0, 900],
  ])('with lockout %s, the wait after %i of them and %i seconds is %s', async (enabled, wrong, ago, seconds) => {
    const { id } = await guidance().person(`Wrong-${enabled}-${wrong}-${ago}`)
    const user = await requireUser(guidance().service.guidance.database.read, id)
    const lockout = { ...guidance().service.guidance.settings.lockout, enabled, maximumAttempts: 3, unlockMs: 600_000 }
    vi.useFakeTimers({ now: Date.now() })
    try {
      const wrong_code_at = new Date(Date.now() - ago * 1000).toISOString()
      const refusal = refuseTooMany({ ...user, wrong_codes: wrong, wrong_code_at }, lockout)
      expect(refusal?.members['retry_after'] ?? null).toBe(seconds)
    } finally {
      vi.useRealTimers()
    }
  })
})
