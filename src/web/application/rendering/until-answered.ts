import type { QueryClient } from '@tanstack/vue-query'
import type { App } from 'vue'
import type { Router } from 'vue-router'
import { isLoadingParts } from '../parts/drawing/lazy-part.ts'

/** In milliseconds. After this time, the application is shown with the answers received so far. */
const TIMEOUT_MS = 10_000
const POLL_MS = 10
/** Polls in a row that must find nothing pending, because answers and parts may cause requests when they are drawn. */
const QUIET_LOOKS = 2

export interface Application {
  readonly app: App
  readonly router: Router
  readonly queryClient: QueryClient
}

/** Resolves when the first page has its initial answers and parts. */
export async function untilAnswered({ router, queryClient }: Application): Promise<void> {
  // The router tells the reader if the page cannot be loaded.
  await router.isReady().catch(() => null)
  const until = performance.now() + TIMEOUT_MS
  let quiet = 0
  while (quiet < QUIET_LOOKS && performance.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS)
    })
    quiet = isWaiting(queryClient) || isLoadingParts() ? 0 : quiet + 1
  }
}

/**
 * Whether the page still lacks one of its initial answers. Ignores queries that are not shown, those that failed once
 * (a notice reports them, and they may fail again), and those that the page adds later (`meta: { isLater: true }`).
 */
function isWaiting(client: QueryClient): boolean {
  return client
    .getQueryCache()
    .getAll()
    .filter((query) => query.getObserversCount() > 0 && query.meta?.isLater !== true)
    .some(
      ({ state }) => state.status === 'pending' && state.fetchStatus === 'fetching' && state.fetchFailureCount === 0,
    )
}
