import createClient from 'openapi-fetch'
import type { paths } from '#api-types'
import { fetchAnswer } from './fetch-answer.ts'
import { Problem } from './problem.ts'
import { site } from './site.ts'

/**
 * The public API, typed by its own description: `answerOf(api.GET('/stigs/{id}', { params: { path: { id } } }))`. With
 * `baseUrl: '/releases/0.17.0'`, a path below `/api/` is requested from that release.
 */
export const api = createClient<paths, 'application/json'>({
  baseUrl: site.base,
  fetch: (request) => fetchAnswer(request),
  headers: { Accept: 'application/json' },
})

/** The body of an answer. */
export async function answerOf<T>(request: Promise<{ readonly data?: T }>): Promise<T> {
  const { data } = await request
  if (data === undefined) throw new Problem(500, { detail: 'The answer of the service is empty.' })
  return data
}
