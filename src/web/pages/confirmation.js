import { openLinkPage } from './link-page.js'

await openLinkPage({ path: '/users/confirmation', parameter: 'confirmation_token' })
