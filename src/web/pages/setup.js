// Makes the first administrator, with the link that the first start printed.

import { ask } from './api.js'
import { useForm } from './form.js'
import { finish, openPage, showPolicy, takeSecret, tell } from './page.js'

const token = takeSecret('token')

await openPage((settings) => {
  if (token === null) {
    tell('This link is not complete. Open the whole link that the service printed at its start.')
    return
  }
  showPolicy(settings)
  useForm(document.forms[0], async (user) => {
    const { answer } = await ask('POST', '/api/setup', { body: { token, user } })
    finish(answer)
  })
})
