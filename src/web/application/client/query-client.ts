import { QueryClient } from '@tanstack/vue-query'
import { problemOf } from './problem.ts'

const MINUTE = 60_000
/** Number of retries. With their delays they take about ten minutes, as long as an update of the service. */
const MAX_TRIES = 40
const LONGEST_WAIT = 15_000

/** Answers are cached for a while, so that going back shows them immediately. Temporary failures are retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: MINUTE,
      gcTime: 15 * MINUTE,
      // The service may be on this machine, so requests do not depend on the network state of the browser.
      networkMode: 'always',
      // Anything may have changed while the network was interrupted.
      refetchOnReconnect: 'always',
      // Answers are replaced as a whole, and deep proxies of a thousand rows would cost more than drawing them.
      shallow: true,
      retry: (count, error) => problemOf(error).isPassing && count < MAX_TRIES,
      retryDelay: (count, error) => problemOf(error).wait ?? Math.min(500 * 2 ** count, LONGEST_WAIT),
    },
    mutations: { networkMode: 'always' },
  },
})

/**
 * Queries that were invalidated during their first request. The library waits for that request, whose answer may be
 * from before the change, for example if the connection was interrupted.
 */
const outdated = new WeakSet<object>()

queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { query, action } = event
  const { status, fetchStatus } = query.state
  if (action.type === 'invalidate' && status === 'pending' && fetchStatus === 'fetching') outdated.add(query)
  if (action.type === 'success' && outdated.delete(query))
    void queryClient.invalidateQueries({ predicate: (other) => other === query })
})
