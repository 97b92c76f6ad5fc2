import { ref } from 'vue'
import { SESSION_MARK } from '../../paths/session-mark.ts'

const NAME = 'parapet.signed-in'
/** Set during a single sign-on: the provider redirects back to any page. */
const SIGNING_IN_KEY = 'parapet.signing-in'

if (sessionStorage.getItem(SIGNING_IN_KEY) !== null) {
  sessionStorage.removeItem(SIGNING_IN_KEY)
  markSession()
}

/**
 * Whether somebody seems to be signed in. Scripts cannot read the cookie of the session; a second cookie remains even
 * if the browser loses its storage.
 */
export const seemsSignedIn = ref(localStorage.getItem(NAME) !== null || hasMark())

function hasMark(): boolean {
  return typeof document !== 'undefined' && document.cookie.split('; ').includes(`${SESSION_MARK}=yes`)
}

/** Counts sign-ins and sign-outs in other windows. */
export const changesElsewhere = ref(0)

addEventListener('storage', ({ key }) => {
  if (key !== NAME) return
  csrf.forget()
  seemsSignedIn.value = localStorage.getItem(NAME) !== null
  changesElsewhere.value += 1
})

/** The CSRF token for writes by this session. It is valid for one session, so for one person. */
class CsrfToken {
  token: string | null = null

  remember(token: string | null): void {
    if (token !== null) this.token = token
  }

  forget(): void {
    this.token = null
  }
}

export const csrf = new CsrfToken()

/** The value differs each time, because other windows are only notified of changes. */
function markSession(): void {
  localStorage.setItem(NAME, String(Date.now()))
  document.cookie = `${SESSION_MARK}=yes; path=/; samesite=lax`
}

export function rememberSession(): void {
  if (localStorage.getItem(NAME) === null) markSession()
  seemsSignedIn.value = true
}

/** Records a sign-in in this window, possibly of another person. */
export function renewSession(): void {
  markSession()
  seemsSignedIn.value = true
}

export function forgetSession(): void {
  localStorage.removeItem(NAME)
  document.cookie = `${SESSION_MARK}=no; path=/; samesite=lax`
  seemsSignedIn.value = false
}

/** Records that a single sign-on begins. On return, the service tells whether the person is signed in. */
export function leaveForProvider(): void {
  sessionStorage.setItem(SIGNING_IN_KEY, 'true')
}
