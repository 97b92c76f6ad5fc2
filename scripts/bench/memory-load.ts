import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { SignedInService } from './service.ts'

const WORDS = ['password', 'audit', 'encrypt', 'session', 'kernel', 'firewall', 'certificate']
const LISTS = ['matrix', 'technique/all', 'offensive-technique/all', 'weakness/all', 'tactic/all']
const TEN = 'SELECT ?s ?p ?o WHERE { ?s ?p ?o } LIMIT 10 OFFSET '
/** Number of failures that are printed; all are counted. */
const SHOWN = 5

const withId = z.object({ id: z.int() })
const techniques = z.object({ '@graph': z.array(z.object({ '@id': z.string() })) })

/** Requests of each kind, and failed requests. */
export interface RequestCounts {
  readonly requests: number
  readonly failed: number
}

interface Load {
  readonly seconds: number
  /** Pause of each client between an answer and its next request. */
  readonly pauseMs: number
}

/** Clients that read, search, query, export and write; each sends one request after the other. */
export async function mixedLoad(service: SignedInService, { seconds, pauseMs }: Load): Promise<RequestCounts> {
  const end = performance.now() + seconds * 1000
  const count = { requests: 0, failed: 0 }
  const ask = asker(service, count)
  const names = techniques.parse(await (await ask('/api/technique/all.json'))?.json())['@graph']
  const ids = z.array(withId).parse(await (await ask('/stigs'))?.json())
  const turn = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length]
  const people = [
    (at: number) => ask(`/api/${turn(LISTS, at)}.json`),
    (at: number) => ask(`/api/technique/${turn(names, at)?.['@id']}.json`),
    (at: number) => ask(`/api/search/unified?q=${turn(WORDS, at)}`),
    (at: number) => ask(`/api/search/suggest?q=${turn(WORDS, at)?.slice(0, 4)}`),
    (at: number) => ask(`/stigs/${turn(ids, at)?.id}`),
    (at: number) => ask(`/stigs/${turn(ids, at)?.id}/export/${at % 2 === 0 ? 'csv' : 'xccdf'}`),
    (at: number) => ask(`/api/stigs/${turn(ids, at)?.id}/countermeasures.json`),
    // Each query differs, because a cache would answer a repeated one.
    (at: number) => ask(`/sparql?query=${encodeURIComponent(`${TEN}${at}`)}`),
    (at: number) => ask(`/api/coverage.json?stig=${turn(ids, at)?.id}`),
    (at: number) => ask('/projects', { project: { name: `Project ${at} of ${Math.round(performance.now())}` } }),
  ]
  const forever = async (once: (at: number) => Promise<unknown>): Promise<void> => {
    for (let at = 0; performance.now() < end; at += 1) {
      const answer = await once(at)
      if (answer instanceof Response) await answer.arrayBuffer()
      await sleep(pauseMs)
    }
  }
  await Promise.all(people.map(forever))
  return count
}

type Ask = (path: string, json?: unknown) => Promise<Response | null>

/** Null if the answer is not a success. */
function asker({ origin, admin }: SignedInService, count: { requests: number; failed: number }): Ask {
  return async (path, json) => {
    count.requests += 1
    const answer = await fetch(origin + path, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { ...admin, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    if (answer.ok) return answer
    await answer.arrayBuffer()
    count.failed += 1
    if (count.failed <= SHOWN) console.log(`${path} answers ${answer.status}`)
    return null
  }
}
