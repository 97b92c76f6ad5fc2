import type { Page } from 'playwright-core'
import { fillInSignIn, type Surfer } from './browser.ts'
import { PASSWORD } from './guidance.ts'

/** A page as somebody comes to it who has not signed in yet. */
export async function openAs(surfer: Surfer, email: string, path: string): Promise<Page> {
  const { page } = await surfer.open(`/users/sign_in?return_to=${encodeURIComponent(path)}`)
  await fillInSignIn(page, email, PASSWORD)
  await page.waitForURL((url) => url.pathname + url.search === path)
  return page
}
