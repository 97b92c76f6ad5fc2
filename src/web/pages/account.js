// The own account: who it is, and changes to it.

import { useForm } from './form.js'
import { byId, leave, openPage, showPolicy, tell } from './page.js'
import { askSignedIn, findPerson, signOut } from './session.js'
import { openSessions, showSessions } from './sessions.js'
import { openTokens, showTokens } from './tokens.js'

await openPage(async (settings) => {
  const person = await findPerson()
  showPerson(person)
  showProof(person)
  await showChoice()
  showPolicy(settings)
  useForm(byId('sign-out'), signOut)
  useForm(byId('profile'), changeProfile)
  useForm(byId('password-form'), changePassword)
  offerLink(settings)
  await openSessions()
  await openTokens()
  byId('account').hidden = false
})

function showPerson({ name, email, admin }) {
  byId('who').textContent = `${name} (${email})${admin ? ', site administrator' : ''}`
  byId('name').value = name
  byId('email').value = email
  byId('password-username').value = email
}

/** Whoever signs in through a provider may have no password here. */
function showProof({ provider }) {
  byId('prove').hidden = provider === null
  const link = byId('prove').querySelector('a')
  if (provider === 'oidc') link.href = '/users/auth/oidc?return_to=/account&prompt=login'
  byId('current-password').required = provider === null
  byId('token-password').required = provider === null
}

async function changeProfile({ accepts_memberships, ...user }) {
  await change(byId('profile'), { ...user, accepts_memberships: accepts_memberships === 'yes' })
  showPerson(await findPerson())
}

async function showChoice() {
  const { answer } = await askSignedIn('GET', '/users/edit')
  byId('accepts-memberships').checked = answer.accepts_memberships
}

async function changePassword({ revoke_tokens, ...user }) {
  await change(byId('password-form'), { ...user, revoke_tokens: revoke_tokens === 'yes' })
  byId('password-form').reset()
  await showSessions()
  if (!byId('tokens').hidden) await showTokens()
}

/** Some accounts are linked with a provider only when their owner asks for it. */
function offerLink({ oidc, ldap }) {
  if (!oidc.enabled && !ldap.enabled) return
  byId('link').hidden = false
  useForm(byId('link-form'), async ({ current_password }) => {
    const { answer } = await askSignedIn('POST', '/users/link_identity', { current_password })
    const next = oidc.enabled
      ? '/users/auth/oidc?return_to=/account&prompt=login'
      : '/users/sign_in'
    await leave(next, [answer.toast.title, answer.toast.message].join(' '))
  })
}

async function change(form, user) {
  const { answer } = await askSignedIn('PUT', '/users', { user })
  form.elements.current_password.value = ''
  tell([answer.toast.title, answer.toast.message].join(' '))
}
