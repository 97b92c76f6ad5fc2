// What all pages of the account share.

/* global URL, history, location, sessionStorage */
import { ask } from './api.js'

const FAREWELL = 'parapet.message'

/** Runs a page with the settings of the service, and shows what fails. */
export async function openPage(run) {
  tellFarewell()
  try {
    const { answer: settings } = await ask('GET', '/api/settings')
    await run(settings)
  } catch (error) {
    tell(error.message)
  }
}

/** Reads the secret of a link out of the address, and leaves none there; null without one. */
export function takeSecret(name) {
  const address = new URL(location.href)
  const secret = address.searchParams.get(name)
  history.replaceState(null, '', address.pathname)
  return secret === '' ? null : secret
}

export function byId(id) {
  return document.getElementById(id)
}

/** Says something where screen readers listen, and takes the focus there. */
export function tell(text) {
  byId('status').textContent = text
  if (text !== '') byId('status').focus()
}

/** Replaces what was on the page by the outcome, and where to go next. */
export function finish({ toast }) {
  for (const form of document.forms) form.hidden = true
  byId('next').hidden = false
  tell([toast.title, toast.message].join(' '))
}

/** Goes to another page, which tells the message. Never returns. */
export function leave(path, message) {
  if (message !== undefined) sessionStorage.setItem(FAREWELL, message)
  location.assign(path)
  return new Promise(() => undefined)
}

function tellFarewell() {
  const message = sessionStorage.getItem(FAREWELL)
  sessionStorage.removeItem(FAREWELL)
  if (message !== null) tell(message)
}

/** Writes what a new password needs below its field. */
export function showPolicy({ password }) {
  const needs = [
    [password.min_uppercase, 'upper-case letter'],
    [password.min_lowercase, 'lower-case letter'],
    [password.min_number, 'digit'],
    [password.min_special, 'special character'],
  ].filter(([count]) => count > 0)
  const list = needs.map(([count, what]) => `${count} ${what}${count === 1 ? '' : 's'}`)
  const among = list.length === 0 ? '' : `, among them at least ${joined(list)}`
  byId('password-policy').textContent = `At least ${password.min_length} characters${among}.`
}

function joined(list) {
  return list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`
}
