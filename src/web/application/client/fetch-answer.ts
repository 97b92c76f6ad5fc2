import { acceptTerms } from './consent.ts'
import { askAsOwner, askForSession, hasOwner, isOwnedBy, OtherPerson } from './owner/owner.ts'
import { Problem, readProblem, UNREACHABLE } from './problem.ts'
import { noteSessionEnd } from './session-end.ts'
import { setupNeeded } from './setup-needed.ts'
import { csrf, forgetSession, seemsSignedIn } from './signed-in.ts'

interface FetchOptions {
  readonly ask?: (request: Request) => Promise<Response>
  /** The author. Without their session the request is refused, and nobody is asked to sign in. */
  readonly by?: number
  /** Whether the page sends the request by itself; then nobody is asked to sign in for it. */
  readonly isUnasked?: boolean
}

/** Sends a request, and throws a {@link Problem} if it fails. */
export async function fetchAnswer(request: Request, options: FetchOptions = {}): Promise<Response> {
  // The body of a request can be read once; it may have to be sent again after the terms are accepted.
  const copy = request.method === 'GET' ? request : request.clone()
  if (isOwned(request)) await addCsrfToken(request, options)
  const response = await send(request, options.ask ?? fetch)
  noteSessionEnd(response)
  if (response.ok) return response
  const problem = await readProblem(response)
  noteProblem(problem)
  if (await isResolved(problem, request, options)) return fetchAnswer(copy, options)
  throw hasOwner() ? explainProblem(problem, request) : problem
}

function noteProblem({ code, status }: Problem): void {
  if (code === 'second_factor_setup_required') setupNeeded.value += 1
  if (status === 401) forgetSession()
}

async function send(request: Request, ask: (request: Request) => Promise<Response>): Promise<Response> {
  try {
    return await ask(request)
  } catch (error) {
    if (request.signal.aborted || error instanceof Problem) throw error
    throw new Problem(UNREACHABLE, { detail: 'The service does not answer. Try again.' })
  }
}

/** Requests that sign in are not bound to the person of the page. */
const SIGN_IN_PATHS = /^\/(?:api\/auth\/(?:login|second_factor)|users\/auth|api\/setup)(?:\/|$)/

function isOwned({ method, url }: Request): boolean {
  return method !== 'GET' && !SIGN_IN_PATHS.test(new URL(url).pathname)
}

/** Adds the CSRF token of the session, if it belongs to the owner of the page. */
async function addCsrfToken(request: Request, { by }: FetchOptions): Promise<void> {
  const needsToken = by === undefined ? csrf.token === null && (seemsSignedIn.value || hasOwner()) : !isOwnedBy(by)
  if (needsToken) await learnToken()
  if (by !== undefined && !isOwnedBy(by)) throw new Problem(401, { code: 'not_authenticated' })
  if (csrf.token !== null) request.headers.set('X-CSRF-Token', csrf.token)
}

/** Null without a session: then the refusal of the request itself says more. */
async function learnToken(): Promise<void> {
  csrf.forget()
  const request = new Request('/api/auth/me', { headers: { Accept: 'application/json' } })
  try {
    await fetchAnswer(request, { ask: askAsOwner })
  } catch (error) {
    if (!isEnd(error)) throw error
  }
}

function isEnd(error: unknown): error is Problem {
  if (!(error instanceof Problem) || error instanceof OtherPerson) return false
  return ['not_authenticated', 'session_timed_out'].includes(error.code)
}

/** Whether the cause of a refusal, such as a missing session, is resolved, so that the request is sent again. */
async function isResolved(
  problem: Problem,
  request: Request,
  { by, isUnasked = by !== undefined }: FetchOptions,
): Promise<boolean> {
  if (problem.code === 'consent_required') {
    await acceptTerms()
    return true
  }
  if (!isOwned(request)) return false
  if (problem.code === 'invalid_csrf_token') {
    await learnToken()
    return csrf.token !== null && csrf.token !== request.headers.get('X-CSRF-Token')
  }
  if (!isEnd(problem)) return false
  csrf.forget()
  return !isUnasked && (await askForSession())
}

/** Belongs to the person who was signed in when the page was opened. */
function explainProblem(problem: Problem, { method }: Request): Problem {
  if (isEnd(problem))
    problem.message =
      method === 'GET'
        ? 'Your session has ended. Sign in again.'
        : 'Your session has ended. What is written here stays: sign in, and send it again.'
  return problem
}
