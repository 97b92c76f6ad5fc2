import type { GuidanceSettings } from '../../platform/settings/guidance-settings.ts'
import { Strangers, type CountsStrangers } from '../identity/sign-in/strangers.ts'
import { createLimits, type Limits } from '../parts/limits.ts'

/** What is counted in memory, and by one process for all of a service. */
export interface Counters {
  readonly limits: Limits
  readonly strangers: CountsStrangers
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
