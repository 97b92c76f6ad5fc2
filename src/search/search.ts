import type { SearchSources } from '../contracts/search-feed.ts'
import type { Search } from '../contracts/search.ts'
import { append } from '../platform/append.ts'
import { SearchThreads } from './search-threads.ts'

/** Whoever asks before everything can be found waits this long, and is then told to come again. */
const PATIENCE_MS = 10_000
/** Ways from named attacks to techniques. */
const MOST_DEFENSES = 200
/** One search across the ontology and guidance, on threads of its own. */
export function createSearch<Asker>(
  sources: SearchSources<Asker>,
  patienceMs = PATIENCE_MS,
): Search<Asker> {
  const threads = new SearchThreads(sources, patienceMs)
  const { readable } = sources
  return {
    unified: async (asker, request) => {
      const question = { readable: await readable(asker), request }
      const answer = await threads.ask('unified', { ...question, defenses: null })
      if (!('defensesOf' in answer)) return answer
      const defenses = await defensesOf(answer.defensesOf, sources.ontology)
      const second = await threads.ask('unified', { ...question, defenses })
      if ('defensesOf' in second) throw new Error('The search asks twice for what it was given')
      return second
    },
    suggest: async (asker, text, limit) =>
      threads.ask('suggest', { readable: await readable(asker), text, limit }),
    match: async (asker, question) =>
      threads.ask('match', { readable: await readable(asker), question }),
    texts: (keys) => threads.ask('texts', keys),
    likeness: (text, iris) => threads.ask('likeness', { text, iris }),
    nearNames: (names) => threads.ask('nearNames', names),
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

/** Techniques that defend against attacks and weaknesses, by the IRI of these. */
async function defensesOf(
  attacks: readonly string[],
  ontology: SearchSources<never>['ontology'],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const defenses = (await ontology?.defenses(attacks, MOST_DEFENSES)) ?? []
  for (const { subject, technique } of defenses)
    if (found.get(subject)?.includes(technique) !== true) append(found, subject, technique)
  return found
}
