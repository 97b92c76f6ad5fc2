import { isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '../../platform/errors.ts'

/** Maximum memory of one limit in bytes; beyond it, the oldest keys are forgotten. */
const MAX_MEMORY = 50_000_000
/** Memory of a key besides its characters. */
const KEY_MEMORY = 500

/** Counts requests in an interval, in the memory of this process. */
export interface Limit {
  /** Counts a request, or refuses it with the seconds to wait; calls `whenExceeded` for the first refusal. */
  count(key: string, whenExceeded?: () => void): Promise<void>
  /** Removes a counted request again. */
  forgive(key: string): Promise<void>
}

interface LimitOptions {
  readonly seconds: number
  readonly memory?: number
}

export function createLimit(points: number, { seconds, memory = MAX_MEMORY }: LimitOptions): Limit {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  const clients = new LRUCache<string, true>({
    maxSize: memory,
    sizeCalculation: (_, key) => Buffer.byteLength(key) + KEY_MEMORY,
    dispose: (_, key) => void limiter.delete(key),
  })
  return {
    count: async (key, whenExceeded) => {
      clients.set(key, true)
      try {
        await limiter.consume(key)
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        if (error.consumedPoints === points + 1) whenExceeded?.()
        throw rateLimited(Math.ceil(error.msBeforeNext / 1000))
      }
    },
    forgive: async (key) => {
      await limiter.reward(key)
    },
  }
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

/** Says how many seconds to wait, in words and as a header. */
export function rateLimited(
  seconds: number,
  detail = `Too many requests. Please wait ${seconds} seconds and try again.`,
): Refusal {
  return new Refusal('rate_limited', detail, {
    retry_after: seconds,
    toast: { title: 'Rate limited', message: detail, variant: 'danger' },
  })
}
