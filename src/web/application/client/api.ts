import createClient, { type Middleware } from 'openapi-fetch'
import { acceptTerms } from './consent.ts'
import { Problem, readProblem, UNREACHABLE } from './problem.ts'
import { csrf, forgetSession } from './signed-in.ts'
import type { paths } from '#api-types'

/** Asks, and throws a {@link Problem} unless the answer is what was asked for. */
async function fetchAnswer(request: Request): Promise<Response> {
  // The body of a request can be read once; it may have to be sent again after the terms are accepted.
  const again = request.clone()
  const response = await send(request)
  csrf.remember(response.headers.get('X-CSRF-Token'))
  if (response.ok) return response
  const problem = await readProblem(response)
  if (problem.code === 'consent_required') {
    await acceptTerms()
    return fetchAnswer(again)
  }
  if (response.status === 401) forgetSession()
  throw problem
}

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    const detail = 'The service does not answer.'
    throw new Problem(UNREACHABLE, { detail, code: 'shutting_down' })
  }
}

const provesItself: Middleware = {
  onRequest: ({ request }) => {
    if (request.method !== 'GET' && csrf.token !== null)
      request.headers.set('X-CSRF-Token', csrf.token)
    return request
  },
}

/**
 * The public API, typed by its own description: `answerOf(api.GET('/stigs/{id}', { params: { path: { id } } }))`. With
 * `baseUrl: '/releases/0.17.0'`, a path below `/api/` is asked of that release.
 */
export const api = createClient<paths, 'application/json'>({
  baseUrl: '/',
  fetch: fetchAnswer,
  headers: { Accept: 'application/json' },
})
api.use(provesItself)

/** The body of an answer. */
export async function answerOf<T>(asked: Promise<{ readonly data?: T }>): Promise<T> {
  const { data } = await asked
  if (data === undefined) throw new Problem(500, { detail: 'The service answered with nothing.' })
  return data
}
