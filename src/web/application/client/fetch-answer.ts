import { acceptTerms } from './consent.ts'
import { Problem, readProblem, UNREACHABLE } from './problem.ts'
import { setupNeeded } from './setup-needed.ts'
import { csrf, forgetSession } from './signed-in.ts'

/** Asks, and throws a {@link Problem} unless the answer is what was asked for. */
export async function fetchAnswer(
  request: Request,
  ask: (request: Request) => Promise<Response> = fetch,
): Promise<Response> {
  // The body of a request can be read once; it may have to be sent again after the terms are accepted.
  const again = request.method === 'GET' ? request : request.clone()
  const response = await send(request, ask)
  csrf.remember(response.headers.get('X-CSRF-Token'))
  if (response.ok) return response
  const problem = await readProblem(response)
  if (problem.code === 'consent_required') {
    await acceptTerms()
    return fetchAnswer(again, ask)
  }
  if (problem.code === 'second_factor_setup_required') setupNeeded.value += 1
  if (response.status === 401) forgetSession()
  throw problem
}

async function send(
  request: Request,
  ask: (request: Request) => Promise<Response>,
): Promise<Response> {
  try {
    return await ask(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    throw new Problem(UNREACHABLE, { detail: 'The service does not answer. Try again.' })
  }
}
