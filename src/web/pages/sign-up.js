// Registers an account, where that is enabled.

import { ask } from './api.js'
import { useForm } from './form.js'
import { finish, openPage, showPolicy, tell } from './page.js'

await openPage((settings) => {
  if (!settings.user_registration.enabled) {
    tell('Accounts cannot be registered here. Ask an administrator for one.')
    return
  }
  showPolicy(settings)
  useForm(document.forms[0], async (user) => {
    const { answer } = await ask('POST', '/users', { body: { user } })
    finish(answer)
  })
})
