import { expect } from 'vitest'
import { unifiedAnswer } from '../../../src/contracts/search-answer.ts'
import type { Answer, Client, GuidanceUnderTest } from '../../support/guidance.ts'

type Found = ReturnType<typeof unifiedAnswer.parse>
type Query = Readonly<Record<string, string | readonly string[]>>

/** Requests of the unified search; by default without an account. */
interface UnifiedRequests {
  readonly ask: (query: Query, client?: Client) => Promise<Answer>
  readonly find: (q: string, query?: Query, client?: Client) => Promise<Found>
}

export function unifiedRequests(under: () => GuidanceUnderTest): UnifiedRequests {
  const ask: UnifiedRequests['ask'] = (query, client = under().nobody) => client.call('GET', addressOf(query))
  const find: UnifiedRequests['find'] = async (q, query = {}, client) => {
    const { status, body } = await ask({ q, ...query }, client)
    expect([status, body]).toEqual([200, body])
    return unifiedAnswer.parse(body)
  }
  return { ask, find }
}

export function addressOf(query: Query, path = '/api/search/unified'): string {
  const values = Object.entries(query).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((text): [string, string] => [name, text]),
  )
  return `${path}?${new URLSearchParams(values).toString()}`
}

export function idsOf({ results }: Found): readonly (string | null)[] {
  return results.map(({ id }) => id)
}
