import { createLimit, type Limit } from '../../http/server/limit.ts'
import type { RateLimits } from '../../platform/settings/guidance-settings.ts'

const MINUTE = 60
const HOUR = 3600

/** Limits count by client address, by account, or by the e-mail address in the request. */
export type Limits = Readonly<Record<Exclude<keyof RateLimits, 'commentsPerHour'>, Limit>>

const NO_LIMIT: Limit = { count: () => Promise.resolve(), forgive: () => Promise.resolve() }

export function createLimits(settings: RateLimits | null): Limits {
  const limit = (name: keyof RateLimits, seconds = MINUTE): Limit =>
    settings === null ? NO_LIMIT : createLimit(settings[name], { seconds })
  return {
    logins: limit('logins'),
    tokenRequests: limit('tokenRequests'),
    uploads: limit('uploads'),
    comments: combineLimits(limit('comments'), limit('commentsPerHour', HOUR)),
    reactions: limit('reactions'),
    reactionReads: limit('reactionReads'),
    userSearches: limit('userSearches'),
  }
}

/** Requests that the first one refuses are not counted by the second. */
function combineLimits(first: Limit, second: Limit): Limit {
  return {
    count: async (key, whenExceeded) => {
      await first.count(key, whenExceeded)
      await second.count(key, whenExceeded)
    },
    forgive: async (key) => {
      await first.forgive(key)
      await second.forgive(key)
    },
  }
}
