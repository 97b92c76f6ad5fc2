import { workerData } from 'node:worker_threads'
import type { SearchFeedModule } from '../../contracts/search-feed.ts'
import { objectWith } from '../../platform/threads/protocol.ts'
import { serve } from '../../platform/threads/serve.ts'
import { SEARCH, searchData, type SearchExchanges } from './protocol.ts'
import { Searcher } from './searcher.ts'

/** The module of the search's thread. */
const data = searchData.parse(workerData)
const feedModule = objectWith<SearchFeedModule>('openFeed').parse(await import(data.feed.module))
const searcher = await Searcher.open(await feedModule.openFeed(data.feed.data), data)

serve<SearchExchanges>(SEARCH, {
  opened: () => ({ release: searcher.release, damage: searcher.damage }),
  ontology: async (content) => {
    await searcher.takeOntology(content)
    return null
  },
  unified: (request) => searcher.unified(request),
  suggest: (request) => searcher.suggest(request),
  match: (request) => searcher.match(request),
  numbers: (question) => searcher.numbers(question),
  texts: (keys) => searcher.texts(keys),
  similarity: (request) => searcher.similarity(request),
  similarNames: (request) => searcher.similarNames(request),
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
