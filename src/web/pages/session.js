// The session of whoever is signed in.

import { ask } from './api.js'
import { acceptTerms } from './consent.js'
import { leave } from './page.js'
import { rememberSignedIn } from './signed-in.js'

let csrfToken

/** Who is signed in. Without anybody, the page is left for the one to sign in. */
export async function findPerson() {
  const found = await askSignedIn('GET', '/api/auth/me')
  csrfToken = found.csrfToken
  rememberSignedIn(true)
  return found.answer
}

/** Asks as the person who is signed in; once more after the terms of use, where they come first. */
export async function askSignedIn(method, path, body) {
  try {
    return await ask(method, path, { body, csrfToken })
  } catch (error) {
    if (error.problem?.code === 'consent_required') {
      await acceptTerms()
      return askSignedIn(method, path, body)
    }
    if (error.problem?.status !== 401) throw error
    rememberSignedIn(false)
    return leave('/users/sign_in', error.message)
  }
}

/** Ends the session and leaves the page. */
export async function signOut() {
  const { answer } = await askSignedIn('DELETE', '/api/auth/logout')
  rememberSignedIn(false)
  await leave('/users/sign_in', `${answer.message}.`)
}
