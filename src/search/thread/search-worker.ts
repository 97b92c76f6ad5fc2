import { workerData } from 'node:worker_threads'
import type { SearchFeedModule } from '../../contracts/search-feed.ts'
import { having } from '../../platform/threads/protocol.ts'
import { serve } from '../../platform/threads/serve.ts'
import { SEARCH, searchData, type SearchExchanges } from './protocol.ts'
import { Searcher } from './searcher.ts'

/** The module of the search's thread. */
const data = searchData.parse(workerData)
const feedModule = having<SearchFeedModule>('openFeed').parse(await import(data.feed.module))
const searcher = await Searcher.open(await feedModule.openFeed(data.feed.data), data)

serve<SearchExchanges>(SEARCH, {
  release: () => searcher.release,
  ontology: async (content) => {
    await searcher.takeOntology(content)
    return null
  },
  unified: ({ readable, request, defenses }) => searcher.unified(readable, request, defenses),
  suggest: ({ readable, text, limit }) => searcher.suggest(readable, text, limit),
  match: ({ readable, question }) => searcher.match(readable, question),
  texts: (keys) => searcher.texts(keys),
  likeness: ({ text, iris }) => searcher.likeness(text, iris),
  nearNames: (names) => searcher.nearNames(names),
  save: async () => {
    await searcher.save()
    return null
  },
  close: async () => {
    await searcher.close()
    return null
  },
})
