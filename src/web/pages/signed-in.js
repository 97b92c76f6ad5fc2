// Whether somebody seems to be signed in here. The cookie itself cannot be read by scripts.

/* global localStorage */
const NAME = 'parapet.signed-in'

export function seemsSignedIn() {
  return localStorage.getItem(NAME) !== null
}

export function rememberSignedIn(signedIn) {
  if (signedIn) localStorage.setItem(NAME, 'true')
  else localStorage.removeItem(NAME)
}
