// How the pages ask the API.

/** A refusal of the API (RFC 9457), with a message that people can act on. */
export class Problem extends Error {
  constructor(problem) {
    super(MESSAGES[problem.code] ?? problem.detail)
    this.problem = problem
  }
}

/** What the API says to programs but people would not understand. */
const MESSAGES = {
  invalid_csrf_token: 'Somebody signed in or out in another window. Reload this page.',
  not_authenticated: 'Sign in first.',
}

/** The answer, and the CSRF token that came with it (or null). Throws a {@link Problem}. */
export async function ask(method, path, { body, csrfToken } = {}) {
  const headers = { Accept: 'application/json' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (csrfToken !== undefined) headers['X-CSRF-Token'] = csrfToken
  const response = await send(path, { method, headers, body: JSON.stringify(body) })
  const answer = await read(response)
  if (!response.ok) throw new Problem(answer)
  return { answer, csrfToken: response.headers.get('X-CSRF-Token') }
}

async function send(path, options) {
  try {
    return await fetch(path, options)
  } catch {
    throw new Problem({ code: 'unreachable', detail: 'The service does not answer. Try again.' })
  }
}

/** Something between here and the service may answer in words of its own. */
async function read(response) {
  try {
    return await response.json()
  } catch {
    const detail = `The service cannot answer now (${response.status}). Try again.`
    throw new Problem({ code: 'unreadable', detail })
  }
}
