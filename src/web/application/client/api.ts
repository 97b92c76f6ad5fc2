import createClient, { type Middleware } from 'openapi-fetch'
import { fetchAnswer } from './fetch-answer.ts'
import { Problem } from './problem.ts'
import { csrf, seemsSignedIn } from './signed-in.ts'
import { site } from './site.ts'
import type { paths } from '#api-types'

const provesItself: Middleware = {
  onRequest: async ({ request }) => {
    if (request.method === 'GET') return request
    if (csrf.token === null && seemsSignedIn.value) await learnToken()
    if (csrf.token !== null) request.headers.set('X-CSRF-Token', csrf.token)
    return request
  },
}

/** Without a session there is none, which what is asked then says better. */
async function learnToken(): Promise<void> {
  await fetchAnswer(new Request('/api/auth/me')).catch(() => null)
}

/**
 * The public API, typed by its own description: `answerOf(api.GET('/stigs/{id}', { params: { path: { id } } }))`. With
 * `baseUrl: '/releases/0.17.0'`, a path below `/api/` is asked of that release.
 */
export const api = createClient<paths, 'application/json'>({
  baseUrl: site.base,
  fetch: (request) => fetchAnswer(request),
  headers: { Accept: 'application/json' },
})
api.use(provesItself)

/** The body of an answer. */
export async function answerOf<T>(asked: Promise<{ readonly data?: T }>): Promise<T> {
  const { data } = await asked
  if (data === undefined) throw new Problem(500, { detail: 'The service answered with nothing.' })
  return data
}
