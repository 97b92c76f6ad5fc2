// The own account: who it is, and changes to it.

import { useForm } from './form.js'
import { byId, openPage, showPolicy, tell } from './page.js'
import { askSignedIn, findPerson, signOut } from './session.js'
import { openTokens } from './tokens.js'

await openPage(async (settings) => {
  const person = await findPerson()
  showPerson(person)
  showProof(person)
  showPolicy(settings)
  useForm(byId('sign-out'), signOut)
  useForm(byId('profile'), changeProfile)
  useForm(byId('password-form'), changePassword)
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

async function changeProfile(user) {
  await change(byId('profile'), user)
  showPerson(await findPerson())
}

async function changePassword(user) {
  await change(byId('password-form'), user)
  byId('password-form').reset()
}

async function change(form, user) {
  const { answer } = await askSignedIn('PUT', '/users', { user })
  form.elements.current_password.value = ''
  tell([answer.toast.title, answer.toast.message].join(' '))
}
