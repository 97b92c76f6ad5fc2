import { isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../platform/errors.ts'
import type { GuidanceSettings } from '../platform/guidance-settings.ts'

const SECONDS = 60

/** Counts requests per minute in the memory of this process. */
export interface Limit {
  /** Counts one more, or refuses it with the seconds to wait. */
  count(key: string): Promise<void>
  /** Takes one back: it was no attempt after all. */
  forgive(key: string): Promise<void>
}

export interface Limits {
  readonly logins: Limit
  readonly tokenRequests: Limit
}

const NO_LIMIT: Limit = { count: () => Promise.resolve(), forgive: () => Promise.resolve() }

export function createLimits(settings: GuidanceSettings['rateLimit']): Limits {
  if (settings === null) return { logins: NO_LIMIT, tokenRequests: NO_LIMIT }
  return { logins: limit(settings.logins), tokenRequests: limit(settings.tokenRequests) }
}

/** One customer of an internet provider has a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - groups.length - last.length }, () => '0')
  return [...groups, ...zeros, ...last].slice(0, 4).join(':')
}

function limit(points: number): Limit {
  const limiter = new RateLimiterMemory({ points, duration: SECONDS })
  return {
    count: async (key) => {
      try {
        await limiter.consume(key)
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        throw rateLimited(Math.ceil(error.msBeforeNext / 1000))
      }
    },
    forgive: async (key) => {
      await limiter.reward(key)
    },
  }
}

function rateLimited(seconds: number): Refusal {
  const detail = `Too many requests. Please wait ${seconds} seconds and try again.`
  return new Refusal('rate_limited', detail, {
    retry_after: seconds,
    toast: { title: 'Rate limited', message: detail, variant: 'danger' },
  })
}
