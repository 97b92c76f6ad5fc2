import type { Counters } from '../guidance/counters.ts'
import { rateLimited, type Limit } from '../http/server/limit.ts'
import { Refusal } from '../platform/errors.ts'
import type { Channel } from '../platform/processes/channel.ts'
import type { Handlers } from '../platform/threads/protocol.ts'
import type { ToLeader, ToMember } from './protocol.ts'

type CounterHandlers = Pick<Handlers<ToLeader>, 'count' | 'forgive' | 'unknownAddress'>

/** Answers the requests of other processes with the counters of this one. */
export function counterHandlers({ limits, unknownAddresses }: Counters): CounterHandlers {
  const byName = new Map<string, Limit>(Object.entries(limits))
  const limitOf = (name: string): Limit => {
    const limit = byName.get(name)
    if (limit === undefined) throw new Error(`There is no limit "${name}"`)
    return limit
  }
  return {
    count: async ({ limit, key }) => {
      let isFirstRefused = false
      try {
        await limitOf(limit).count(key, () => {
          isFirstRefused = true
        })
        return { waitSeconds: null, isFirstRefused }
      } catch (error) {
        const waitSeconds = error instanceof Refusal ? error.members['retry_after'] : null
        if (typeof waitSeconds !== 'number') throw error
        return { waitSeconds, isFirstRefused }
      }
    },
    forgive: async ({ limit, key }) => {
      await limitOf(limit).forgive(key)
      return null
    },
    unknownAddress: (email) => unknownAddresses.count(email),
  }
}

/** Counters of the leading process. */
export function remoteCounters(leader: Channel<ToLeader, ToMember>): Counters {
  const remote = (limit: keyof Counters['limits']): Limit => ({
    count: async (key, whenExceeded) => {
      const { waitSeconds, isFirstRefused } = await leader.ask('count', { limit, key })
      if (isFirstRefused) whenExceeded?.()
      if (waitSeconds !== null) throw rateLimited(waitSeconds)
    },
    forgive: async (key) => {
      await leader.ask('forgive', { limit, key })
    },
  })
  return {
    limits: {
      logins: remote('logins'),
      tokenRequests: remote('tokenRequests'),
      uploads: remote('uploads'),
      comments: remote('comments'),
      reactions: remote('reactions'),
      reactionReads: remote('reactionReads'),
      userSearches: remote('userSearches'),
    },
    unknownAddresses: { count: (email) => leader.ask('unknownAddress', email) },
  }
}
