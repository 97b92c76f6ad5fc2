import type { GuidanceSettings } from '../../platform/settings/guidance-settings.ts'
import { Strangers, type StrangerCounter } from '../identity/sign-in/strangers.ts'
import { createLimits, type Limits } from '../parts/limits.ts'

/** These counters are in memory, so one process counts for the whole service. */
export interface Counters {
  readonly limits: Limits
  readonly strangers: StrangerCounter
}

export function openCounters({ rateLimit, lockout }: GuidanceSettings): Counters {
  const { enabled, maximumAttempts, unlockMs, unlockStrategy } = lockout
  return {
    limits: createLimits(rateLimit),
    strangers: new Strangers({
      maximumAttempts: enabled ? maximumAttempts : null,
      unlockMs: unlockStrategy === 'email' ? null : unlockMs,
    }),
  }
}
