import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SearchRequest } from '../../contracts/search.ts'
import { Refusal } from '../../platform/errors.ts'
import { jsonIn } from '../../platform/json.ts'
import type { Candidates, Ranked } from '../ranking/candidates.ts'

/** Encodes the position of a result in the order of one search. It is valid for one state of the library. */
export function cursorAfter(request: SearchRequest, last: Pick<Ranked, 'score' | 'key'> | undefined): string | null {
  if (last === undefined) return null
  const parts = [digestOf(request), last.score, last.key]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

const cursorParts = z.tuple([z.string(), z.number(), z.int().nonnegative()])

/** The results behind the cursor of a request; all of them without one. Refuses the cursor of another search. */
export function resultsAfterCursor(
  results: Uint32Array,
  request: SearchRequest,
  { scores, keys }: Candidates,
): Uint32Array {
  const { cursor } = request
  if (cursor === null) return results
  const parts = cursorParts.safeParse(jsonIn(Buffer.from(cursor, 'base64url').toString())).data
  if (parts === undefined) throw invalidCursor('no answer has given this one')
  const [digest, score, key] = parts
  if (digest !== digestOf(request))
    throw invalidCursor('it is from another search. Send the words and filters it came with, or leave it out')
  return results.filter((candidate) => {
    const candidateScore = scores[candidate] ?? 0
    return candidateScore < score || (candidateScore === score && (keys[candidate] ?? 0) > key)
  })
}

function invalidCursor(reason: string): Refusal {
  return new Refusal('parameter_invalid', `cursor: ${reason}.`, { parameter: 'cursor' })
}

/** Digest of everything in a request that decides which results there are, and their order. */
function digestOf(request: SearchRequest): string {
  const { text, kinds, severities, tactics, domains, benchmarks, releases, isFolded } = request
  const parts = [text, kinds, severities, tactics, domains, benchmarks, releases, isFolded]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)
}
