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
  const itemAt = <T>(list: readonly T[], round: number): T | undefined => list[round % list.length]
  const actions = [
    (round: number) => ask(`/api/${itemAt(LISTS, round)}.json`),
    (round: number) => ask(`/api/technique/${itemAt(names, round)?.['@id']}.json`),
    (round: number) => ask(`/api/search/unified?q=${itemAt(WORDS, round)}`),
    (round: number) => ask(`/api/search/suggest?q=${itemAt(WORDS, round)?.slice(0, 4)}`),
    (round: number) => ask(`/stigs/${itemAt(ids, round)?.id}`),
    (round: number) => ask(`/stigs/${itemAt(ids, round)?.id}/export/${round % 2 === 0 ? 'csv' : 'xccdf'}`),
    (round: number) => ask(`/api/stigs/${itemAt(ids, round)?.id}/countermeasures.json`),
    // Each query differs, because a cache would answer a repeated one.
    (round: number) => ask(`/sparql?query=${encodeURIComponent(`${TEN}${round}`)}`),
    (round: number) => ask(`/api/coverage.json?stig=${itemAt(ids, round)?.id}`),
    (round: number) => ask('/projects', { project: { name: `Project ${round} of ${Math.round(performance.now())}` } }),
  ]
  const repeatUntilEnd = async (act: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; performance.now() < end; round += 1) {
      const answer = await act(round)
      if (answer instanceof Response) await answer.arrayBuffer()
      await sleep(pauseMs)
    }
  }
  await Promise.all(actions.map(repeatUntilEnd))
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
