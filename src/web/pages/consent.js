// Shows the terms of use over the page until they are accepted.

import { ask } from './api.js'
import { useForm } from './form.js'

let waiting = null

/** Resolves once the terms are accepted; whoever asks meanwhile waits for the same answer. */
export function acceptTerms() {
  waiting ??= show().finally(() => {
    waiting = null
  })
  return waiting
}

async function show() {
  const { answer: settings } = await ask('GET', '/api/settings')
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-labelledby', 'consent-title')
  const title = part('h2', 'consent-title', settings.consent.title)
  const content = part('p', 'consent-content', settings.consent.content)
  const form = document.createElement('form')
  form.append(part('button', 'accept', 'I accept'))
  dialog.append(title, content, form)
  // It cannot be closed without an answer.
  dialog.addEventListener('close', () => {
    dialog.showModal()
  })
  document.body.append(dialog)
  await new Promise((resolve) => {
    useForm(form, async () => {
      await ask('POST', '/consent/acknowledge')
      resolve()
    })
    dialog.showModal()
  })
  dialog.remove()
}

function part(kind, id, text) {
  const created = document.createElement(kind)
  created.id = id
  created.textContent = text
  return created
}
