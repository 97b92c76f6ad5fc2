import { openLinkPage } from './link-page.js'

await openLinkPage({ path: '/users/unlock', parameter: 'unlock_token' })
