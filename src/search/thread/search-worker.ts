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
  opened: () => ({ release: searcher.release, damage: searcher.damage }),
  ontology: async (content) => {
    await searcher.takeOntology(content)
    return null
  },
  unified: (asked) => searcher.unified(asked),
  suggest: (asked) => searcher.suggest(asked),
  match: (asked) => searcher.match(asked),
  keys: (asked) => searcher.keys(asked),
  texts: (keys) => searcher.texts(keys),
  likeness: (asked) => searcher.likeness(asked),
  nearNames: (asked) => searcher.nearNames(asked),
  save: async () => {
    await searcher.save()
    return null
  },
  close: async () => {
    await searcher.close()
    return null
  },
})

void searcher.keepUp()
