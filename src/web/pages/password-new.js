// Has a link sent with which a forgotten password is replaced.

import { ask } from './api.js'
import { useForm } from './form.js'
import { finish, openPage, tell } from './page.js'

await openPage((settings) => {
  if (!settings.smtp.enabled) {
    tell('This service sends no mail. Ask an administrator for a link.')
    return
  }
  useForm(document.forms[0], async (user) => {
    const { answer } = await ask('POST', '/users/password', { body: { user } })
    finish(answer)
  })
})
