// @module-tag long

import { describe, expect, it } from 'vitest'
import { ACCOUNT_PATHS } from '../../src/web/paths/account.ts'
import { PROJECT_PATHS } from '../../src/web/paths/projects.ts'
import { browserFound, chromiumBrowser, fillInSignIn } from '../support/browser.ts'
import { guidanceService, PASSWORD } from '../support/guidance.ts'
import { expectSound } from '../support/page-check.ts'
import { spreadOf } from '../support/runs.ts'

const guidance = guidanceService({ SERVICE_SMTP_URL: 'smtp://127.0.0.1:9' })
const { account: ACCOUNT, secondFactor: SECOND_FACTOR, ...OPEN } = ACCOUNT_PATHS

describe.runIf(browserFound)('The pages of the account', () => {
  const surf = chromiumBrowser()

  it('are sound', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const { email } = await guidance().person('Ada')
    const visit = await surfer.open('/users/sign_in')
    for (const path of spreadOf(Object.values(OPEN), 3)) {
      await visit.page.goto(guidance().service.baseUrl + path)
      await visit.page.locator('h1').waitFor()
      await visit.page.waitForLoadState('networkidle')
      await expectSound(visit)
    }
    await visit.page.goto(`${guidance().service.baseUrl}/users/sign_in`)
    await fillInSignIn(visit.page, email, PASSWORD)
    await visit.page.waitForURL(`**${PROJECT_PATHS.home}`)
    await visit.page.goto(guidance().service.baseUrl + ACCOUNT)
    await visit.page.locator('#token-name').waitFor()
    await expectSound(visit)
    await visit.page.goto(guidance().service.baseUrl + SECOND_FACTOR)
    await visit.page.getByRole('heading', { name: 'Second factor', level: 1 }).waitFor()
    await visit.page.waitForLoadState('networkidle')
    await expectSound(visit)
  })

  it('lead back to the page that needed the sign-in, and to no other host', async () => {
    const { email } = await guidance().person('Ben')
    const surfer = await surf(guidance().service.baseUrl)
    const { baseUrl } = guidance().service
    const back = await surfer.open('/users/sign_in?return_to=/search?q=x%26kind=rule')
    await fillInSignIn(back.page, email, PASSWORD)
    await back.page.waitForURL(`${baseUrl}/search?q=x&kind=rule`)
    for (const away of ['//example.org/', '/\\example.org']) {
      const { page } = await surfer.open(`/users/sign_in?return_to=${encodeURIComponent(away)}`)
      await fillInSignIn(page, email, PASSWORD)
      await page.waitForURL(`${baseUrl}${PROJECT_PATHS.home}`)
      expect(new URL(page.url()).host).toBe(new URL(baseUrl).host)
    }
  })
})
