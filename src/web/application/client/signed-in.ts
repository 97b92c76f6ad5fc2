import { ref } from 'vue'

const NAME = 'parapet.signed-in'

/** Whether somebody seems to be signed in here. The cookie itself cannot be read by scripts. */
export const seemsSignedIn = ref(localStorage.getItem(NAME) !== null)

// Another window signed in or out.
addEventListener('storage', ({ key }) => {
  if (key !== NAME) return
  csrf.forget()
  seemsSignedIn.value = localStorage.getItem(NAME) !== null
})

/** What writes by this session send back. */
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

export function rememberSession(): void {
  localStorage.setItem(NAME, 'true')
  seemsSignedIn.value = true
}

export function forgetSession(): void {
  localStorage.removeItem(NAME)
  seemsSignedIn.value = false
}
