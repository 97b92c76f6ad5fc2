import { ref } from 'vue'
import { SESSION_MARK } from '../../paths/session-mark.ts'

const NAME = 'parapet.signed-in'
/** Set while somebody is with a provider of accounts, who leads back to any page. */
const SIGNING_IN_KEY = 'parapet.signing-in'

if (sessionStorage.getItem(SIGNING_IN_KEY) !== null) {
  sessionStorage.removeItem(SIGNING_IN_KEY)
  mark()
}

/**
 * Whether somebody seems to be signed in here. The cookie of the session cannot be read by scripts; the one beside it
 * stays where a browser loses what is stored.
 */
export const seemsSignedIn = ref(localStorage.getItem(NAME) !== null || hasMark())

function hasMark(): boolean {
  return typeof document !== 'undefined' && document.cookie.split('; ').includes(`${SESSION_MARK}=yes`)
}

/** How often another window signed in or out. */
export const changesElsewhere = ref(0)

addEventListener('storage', ({ key }) => {
  if (key !== NAME) return
  csrf.forget()
  seemsSignedIn.value = localStorage.getItem(NAME) !== null
  changesElsewhere.value += 1
})

/**
 * The CSRF token for writes by this session. It is valid for one session, so for one person, and for nobody after them.
 */
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

/** Another value each time, or other windows would not be told. */
function mark(): void {
  localStorage.setItem(NAME, String(Date.now()))
  document.cookie = `${SESSION_MARK}=yes; path=/; samesite=lax`
}

export function rememberSession(): void {
  if (localStorage.getItem(NAME) === null) mark()
  seemsSignedIn.value = true
}

/** After a sign-in here, perhaps in place of somebody else. */
export function renewSession(): void {
  mark()
  seemsSignedIn.value = true
}

export function forgetSession(): void {
  localStorage.removeItem(NAME)
  document.cookie = `${SESSION_MARK}=no; path=/; samesite=lax`
  seemsSignedIn.value = false
}

/** Before a provider of accounts is gone to: who comes back is signed in, or is found not to be. */
export function leaveForProvider(): void {
  sessionStorage.setItem(SIGNING_IN_KEY, 'true')
}
