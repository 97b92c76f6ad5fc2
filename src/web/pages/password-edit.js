// Chooses a new password with a reset link. Opening the page does not use the link up.

/* global URLSearchParams */
import { ask, Problem } from './api.js'
import { useForm } from './form.js'
import { byId, finish, openPage, showPolicy, takeSecret, tell } from './page.js'

const secret = takeSecret('reset_password_token')

await openPage(async (settings) => {
  byId('again').hidden = !settings.smtp.enabled
  if (secret === null) {
    tell('This link is not complete. Open the whole link once more.')
    return
  }
  if (!(await maybeValid())) {
    tell('This link was used, is too old or never existed. Ask for another.')
    return
  }
  byId('again').hidden = true
  showPolicy(settings)
  useForm(document.forms[0], async (passwords) => {
    const user = { reset_password_token: secret, ...passwords }
    const { answer } = await ask('PUT', '/users/password', { body: { user } })
    finish(answer)
  })
})

/** What cannot be checked now is left to the change itself. */
async function maybeValid() {
  try {
    const query = new URLSearchParams({ reset_password_token: secret })
    const { answer } = await ask('GET', `/users/password/edit?${query}`)
    return answer.valid
  } catch (error) {
    if (error instanceof Problem) return true
    throw error
  }
}
