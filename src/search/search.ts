import type { SearchSources } from '../contracts/search-feed.ts'
import type { Search } from '../contracts/search.ts'
import { strengthOfDefense } from './knowledge/links.ts'
import { SearchThreads } from './search-threads.ts'

/** A question waits this long until everything can be found, so that nobody is without an answer for two seconds. */
const PATIENCE_MS = 1200
/** Ways from named attacks to techniques. */
const MOST_DEFENSES = 200
/** One search across the ontology and guidance, on threads of its own. */
export function createSearch<Caller>(sources: SearchSources<Caller>, patienceMs = PATIENCE_MS): Search<Caller> {
  const threads = new SearchThreads(sources, patienceMs)
  const { readable } = sources
  const waitUntil = (): number => Date.now() + patienceMs
  return {
    unified: async (asker, request) => {
      const question = { waitUntil: waitUntil(), readable: await readable(asker), request }
      const answer = await threads.ask('unified', { ...question, defenses: null })
      if (!('defensesOf' in answer)) return answer
      const defenses = await countermeasuresOf(answer.defensesOf, sources.ontology)
      const second = await threads.ask('unified', { ...question, defenses })
      if ('defensesOf' in second) throw new Error('The search asks twice for what it was given')
      return second
    },
    suggest: async (asker, text, limit) => {
      const timed = { waitUntil: waitUntil(), readable: await readable(asker) }
      return threads.ask('suggest', { ...timed, text, limit })
    },
    match: async (asker, question) => {
      const timed = { waitUntil: waitUntil(), readable: await readable(asker) }
      return threads.ask('match', { ...timed, question })
    },
    keys: async (asker, questions) => {
      const timed = { waitUntil: waitUntil(), readable: await readable(asker) }
      return threads.ask('keys', { ...timed, questions })
    },
    texts: (keys) => threads.ask('texts', keys),
    likeness: (text, iris) => threads.ask('likeness', { waitUntil: waitUntil(), text, iris }),
    nearNames: (names) => threads.ask('nearNames', { waitUntil: waitUntil(), names }),
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
  const found = new Map<string, Map<string, number>>()
  for (const defense of (await ontology?.defenses(attacks, MOST_DEFENSES)) ?? []) {
    const { subject, technique } = defense
    const ofSubject = found.get(subject) ?? new Map<string, number>()
    found.set(subject, ofSubject)
    ofSubject.set(technique, Math.max(ofSubject.get(technique) ?? 0, strengthOfDefense(defense)))
  }
  return found
}
