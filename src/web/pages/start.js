// Leads whoever is signed in from the start page to their account.

import { seemsSignedIn } from './signed-in.js'

if (seemsSignedIn()) {
  const link = document.getElementById('account')
  link.textContent = 'Account'
  link.href = '/account'
}
