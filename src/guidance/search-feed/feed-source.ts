import type { SearchFeedSource } from '../../contracts/search-feed.ts'
import { siblingModule } from '../../platform/threads/thread.ts'
import type { FeedData } from './feed-module.ts'

/** The source that the search index reads from. */
export function searchFeedSource(data: FeedData): SearchFeedSource {
  return { module: siblingModule(import.meta.url, 'feed-module'), data }
}
