// Where whoever is signed in is signed in.

import { byId, tell } from './page.js'
import { askSignedIn } from './session.js'

const PATH = '/users/sessions'

export async function openSessions() {
  await showSessions()
  byId('end-others').addEventListener('click', () => void end(PATH))
}

/** Shows them anew, as after a change of the password. */
export async function showSessions() {
  const { answer } = await askSignedIn('GET', PATH)
  byId('session-list').replaceChildren(...answer.sessions.map(sessionItem))
  byId('end-others').hidden = answer.sessions.length < 2
}

function sessionItem({ id, current, address, user_agent, created_at, last_used_at }) {
  const [since, used] = [created_at, last_used_at].map((time) => new Date(time).toLocaleString())
  const program = user_agent ?? 'An unknown program'
  const item = document.createElement('li')
  const where = address === null ? '' : ` from ${address}`
  item.textContent = `${program}${where}, since ${since}, last used ${used} `
  if (current) item.append('(this session)')
  else item.append(endButton(id, program))
  return item
}

function endButton(id, program) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'End it'
  button.setAttribute('aria-label', `End it: ${program}`)
  button.addEventListener('click', () => void end(`${PATH}/${id}`))
  return button
}

async function end(path) {
  try {
    const { answer } = await askSignedIn('DELETE', path)
    await showSessions()
    tell([answer.toast.title, answer.toast.message].join(' '))
  } catch (error) {
    tell(error.message)
  }
}
