import type { SearchSources } from '../contracts/search-feed.ts'
import type { Search } from '../contracts/search.ts'
import { getOrMake } from '../platform/get-or-make.ts'
import { strengthOfDefense } from './knowledge/links.ts'
import { SearchThreads } from './search-threads.ts'
import type { SearchCaller } from './thread/searcher.ts'

/** A query waits at most this long for the index to be up to date. */
const MAX_WAIT_MS = 1200
/** Paths from named attacks to techniques. */
const MAX_DEFENSES = 200

/** One search across the ontology and guidance, on threads of its own. */
export function createSearch<Caller>(sources: SearchSources<Caller>, maxWaitMs = MAX_WAIT_MS): Search<Caller> {
  const threads = new SearchThreads(sources, maxWaitMs)
  const { readableComponents } = sources
  const waitUntil = (): number => Date.now() + maxWaitMs
  const askedBy = async (caller: Caller): Promise<SearchCaller> => ({
    waitUntil: waitUntil(),
    readable: await readableComponents(caller),
  })
  return {
    unified: async (caller, request) => {
      const question = { ...(await askedBy(caller)), request }
      const answer = await threads.ask('unified', { ...question, defenses: null })
      if (!('defensesOf' in answer)) return answer
      const defenses = await countermeasuresOf(answer.defensesOf, sources.ontology)
      const second = await threads.ask('unified', { ...question, defenses })
      if ('defensesOf' in second) throw new Error('The search asks twice for what it was given')
      return second
    },
    suggest: async (caller, text, limit) => threads.ask('suggest', { ...(await askedBy(caller)), text, limit }),
    findMatches: async (caller, question) => threads.ask('match', { ...(await askedBy(caller)), question }),
    findNumbers: async (caller, request) => threads.ask('numbers', { ...(await askedBy(caller)), request }),
    texts: (keys) => threads.ask('texts', keys),
    similarity: (text, iris) => threads.ask('similarity', { waitUntil: waitUntil(), text, iris }),
    findSimilarNames: (names) => threads.ask('similarNames', { waitUntil: waitUntil(), names }),
    get isPreparing() {
      return threads.isPreparing
    },
    get upToDateAt() {
      return threads.upToDateAt
    },
    prepare: (opened) => threads.prepare(opened),
    close: () => threads.close(),
  }
}

/** See `CountermeasuresByAttack`. */
async function countermeasuresOf(
  attacks: readonly string[],
  ontology: SearchSources<never>['ontology'],
): Promise<Map<string, Map<string, number>>> {
  const counts = new Map<string, Map<string, number>>()
  for (const defense of (await ontology?.defenses(attacks, MAX_DEFENSES)) ?? []) {
    const { subject, technique } = defense
    const ofSubject = getOrMake(counts, subject, () => new Map())
    ofSubject.set(technique, Math.max(ofSubject.get(technique) ?? 0, strengthOfDefense(defense)))
  }
  return counts
}
