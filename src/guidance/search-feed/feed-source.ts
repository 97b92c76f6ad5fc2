import type { SearchFeedSource } from '../../contracts/search-feed.ts'
import { siblingModule } from '../../platform/threads/thread.ts'
import type { FeedData } from './feed-module.ts'

/** From where the index of the search fills itself. */
export function searchFeedSource(data: FeedData): SearchFeedSource {
  return { module: siblingModule(import.meta.url, 'feed-module'), data }
}
