// The personal access tokens of whoever is signed in.

/* global FormData, confirm, navigator */
import { useForm } from './form.js'
import { byId, tell } from './page.js'
import { askSignedIn } from './session.js'

const PATH = '/personal_access_tokens'
const DAY_MS = 86_400_000

/** Shows the tokens; nothing of them where they are switched off. */
export async function openTokens() {
  try {
    await showTokens()
  } catch (error) {
    if (error.problem?.status === 404) return
    throw error
  }
  byId('expires-at').min = dayFromNow(1)
  byId('expires-at').max = dayFromNow(365)
  byId('expires-at').value = dayFromNow(90)
  byId('copy').addEventListener('click', copy)
  useForm(byId('token-form'), create)
  byId('tokens').hidden = false
  byId('revoke-tokens').hidden = false
}

/** In UTC, as the service counts days. */
function dayFromNow(days) {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
}

async function create({ name, expires_at, allowed_ips, current_password }) {
  const form = byId('token-form')
  const scopes = new FormData(form).getAll('scopes')
  const ranges = allowed_ips.split(/[\s,]+/).filter((range) => range !== '')
  const token = { name, scopes, expires_at, allowed_ips: ranges, current_password }
  const { answer } = await askSignedIn('POST', PATH, { personal_access_token: token })
  form.elements.name.value = ''
  form.elements.current_password.value = ''
  byId('copied').textContent = ''
  byId('raw-token').value = answer.token
  byId('new-token').hidden = false
  byId('raw-token').focus()
  byId('raw-token').select()
  await showTokens()
}

/** Without https there is no clipboard to write to, but what is selected can be copied. */
async function copy() {
  const field = byId('raw-token')
  field.select()
  try {
    await navigator.clipboard.writeText(field.value)
  } catch {
    if (!document.execCommand('copy')) return
  }
  byId('copied').textContent = 'Copied.'
}

/** Shows them anew, as after a change of the password. */
export async function showTokens() {
  const { answer } = await askSignedIn('GET', PATH)
  const rows = answer.personal_access_tokens.map(tokenRow)
  byId('token-list').hidden = rows.length === 0
  byId('token-list')
    .querySelector('tbody')
    .replaceChildren(...rows)
}

function tokenRow(token) {
  const row = document.createElement('tr')
  const name = cell('th', token.name)
  name.scope = 'row'
  const state = cell('td', token.revoked_at === null ? '' : 'revoked')
  if (token.revoked_at === null) state.append(revokeButton(token))
  const shown = [
    token.token_prefix,
    token.scopes.join(', '),
    token.expires_at,
    token.last_used_at === null ? 'never' : new Date(token.last_used_at).toLocaleString(),
    token.allowed_ips.length === 0 ? 'everywhere' : token.allowed_ips.join(', '),
  ]
  row.append(name, ...shown.map((text) => cell('td', text)), state)
  return row
}

function cell(kind, text) {
  const created = document.createElement(kind)
  created.textContent = text
  return created
}

function revokeButton(token) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Revoke'
  button.setAttribute('aria-label', `Revoke ${token.name}`)
  button.addEventListener('click', () => {
    if (confirm(`Revoke ${token.name}? Programs that use it cannot work any more.`))
      void revoke(token)
  })
  return button
}

async function revoke({ id }) {
  try {
    const { answer } = await askSignedIn('DELETE', `${PATH}/${id}`)
    await showTokens()
    tell([answer.toast.title, answer.toast.message].join(' '))
  } catch (error) {
    tell(error.message)
  }
}
