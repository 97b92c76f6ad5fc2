// Signs people in, in the ways that this service offers.

import { ask } from './api.js'
import { acceptTerms } from './consent.js'
import { useForm } from './form.js'
import { byId, leave, openPage } from './page.js'

await openPage(async (settings) => {
  // Until the terms are accepted, there is nothing else here.
  if (settings.consent.enabled) await acceptTerms()
  byId('choices').hidden = false
  offerLocal(settings)
  offerOidc(settings.oidc)
  offerLdap(settings.ldap)
})

function offerLocal({ local_login, user_registration, smtp, lockout, consent }) {
  if (!local_login.enabled) return
  useForm(byId('local'), async ({ email, password }) => {
    await signIn('/api/auth/login', { email, password })
  })
  byId('registration').hidden = !user_registration.enabled
  byId('reset').hidden = !smtp.enabled
  byId('confirmation').hidden = !(smtp.enabled && user_registration.enabled)
  byId('unlock').hidden = !(smtp.enabled && lockout.enabled)
  byId('help').hidden = !user_registration.enabled && !smtp.enabled
  if (consent.enabled) byId('email').focus()
}

function offerOidc({ enabled, title }) {
  byId('oidc').hidden = !enabled
  byId('oidc').firstElementChild.textContent = `Sign in with ${title}`
}

function offerLdap({ enabled, title }) {
  if (!enabled) return
  byId('ldap').hidden = false
  byId('ldap-title').textContent = title
  const form = byId('ldap').querySelector('form')
  form.querySelector('button').textContent = `Sign in with ${title}`
  useForm(form, async ({ username, password }) => {
    await signIn('/users/auth/ldap/callback', { username, password })
  })
}

async function signIn(path, body) {
  try {
    await ask('POST', path, { body })
  } catch (error) {
    if (error.problem?.attempts_left === 1)
      error.message += ' After one more wrong attempt the account is locked.'
    throw error
  }
  await leave('/account')
}
