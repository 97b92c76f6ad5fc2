import type { GuidanceSettings } from '../../platform/settings/guidance-settings.ts'
import { UnknownAddresses, type UnknownAddressCounter } from '../identity/sign-in/unknown-addresses.ts'
import { createLimits, type Limits } from '../parts/limits.ts'

/** These counters are in memory, so one process counts for the whole service. */
export interface Counters {
  readonly limits: Limits
  readonly unknownAddresses: UnknownAddressCounter
}

export function openCounters({ rateLimit, lockout }: GuidanceSettings): Counters {
  const { enabled, maximumAttempts, unlockMs, unlockStrategy } = lockout
  return {
    limits: createLimits(rateLimit),
    unknownAddresses: new UnknownAddresses({
      maximumAttempts: enabled ? maximumAttempts : null,
      unlockMs: unlockStrategy === 'email' ? null : unlockMs,
    }),
  }
}
