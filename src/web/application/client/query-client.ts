import { QueryClient } from '@tanstack/vue-query'
import { problemOf } from './problem.ts'

const MINUTE = 60_000
/** With the waits between them, about ten minutes: as long as an update of the service may take. */
const MAX_TRIES = 40
const LONGEST_WAIT = 15_000

/** Answers are cached for a while, so that going back shows them at once; passing failures are retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: MINUTE,
      gcTime: 15 * MINUTE,
      // The service may be on this machine, whatever the browser thinks of the network.
      networkMode: 'always',
      // While the network was away, anything may have changed.
      refetchOnReconnect: 'always',
      // Answers are replaced and never changed: looking at a thousand rows through proxies costs more than drawing them.
      shallow: true,
      retry: (count, error) => problemOf(error).isPassing && count < MAX_TRIES,
      retryDelay: (count, error) => problemOf(error).wait ?? Math.min(500 * 2 ** count, LONGEST_WAIT),
    },
    mutations: { networkMode: 'always' },
  },
})

/**
 * Queries that were to be asked again while they waited for their first answer. The library goes on waiting for that
 * one, which may be from before the change, as when the connection was lost meanwhile.
 */
const outdated = new WeakSet<object>()

queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { query, action } = event
  const { status, fetchStatus } = query.state
  if (action.type === 'invalidate' && status === 'pending' && fetchStatus === 'fetching') outdated.add(query)
  if (action.type === 'success' && outdated.delete(query))
    void queryClient.invalidateQueries({ predicate: (one) => one === query })
})
