// A page whose link is used by a button, because mail scanners open links; or asks for another link.

import { ask } from './api.js'
import { useForm } from './form.js'
import { byId, finish, openPage, takeSecret, tell } from './page.js'

export async function openLinkPage({ path, parameter }) {
  const secret = takeSecret(parameter)
  await openPage((settings) => {
    if (secret !== null) useLink(secret, settings)
    else offerLink(settings)
  })

  function useLink(shown, settings) {
    useForm(byId('use'), async () => {
      try {
        const { answer } = await ask('PUT', path, { body: { [parameter]: shown } })
        finish(answer)
      } catch (error) {
        if (error.problem?.code !== 'link_invalid') throw error
        byId('use').hidden = true
        offerLink(settings)
        tell(error.message)
      }
    })
  }

  function offerLink(settings) {
    if (!settings.smtp.enabled) {
      tell('This service sends no mail. Ask an administrator.')
      return
    }
    useForm(byId('send'), async (user) => {
      const { answer } = await ask('POST', path, { body: { user } })
      finish(answer)
    })
  }
}
