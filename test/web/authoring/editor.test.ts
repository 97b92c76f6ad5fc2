import { beforeAll, describe, expect, it } from 'vitest'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser, fillInSignIn, type Visit } from '../../support/browser.ts'
import { guidanceService, PASSWORD } from '../../support/guidance.ts'
import { expectSound } from '../../support/page-check.ts'

const guidance = guidanceService()

describe.runIf(browserFound)('The editor', () => {
  const surf = chromiumBrowser()
  let made: MadeComponent

  beforeAll(async () => {
    const ada = await guidance().person('Ada')
    const vera = await guidance().person('Vera')
    const projectId = await guidance().project(await guidance().signIn(ada.email))
    await guidance().member(projectId, vera, 'viewer')
    made = await makeComponent(guidance(), ada, { projectId, name: 'Samovar', rules: 60 })
  })

  /** Somebody who comes to a page without having signed in, and does. */
  async function open(path: string, email = 'ada@example.org'): Promise<Visit> {
    const surfer = await surf(guidance().service.baseUrl)
    const visit = await surfer.open(`/users/sign_in?return_to=${encodeURIComponent(path)}`)
    await fillInSignIn(visit.page, email, PASSWORD)
    await visit.page.waitForURL(guidance().service.baseUrl + path)
    return visit
  }

  it('lists the rules by what the address says, and opens one', async () => {
    const visit = await open(`/components/${made.id}`)
    const { page } = visit
    await page.getByRole('heading', { name: 'Samovar V1R1', level: 1 }).waitFor()
    await page.getByText('60 rules').waitFor()
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('TEAP-00-000007')
    await page.getByText('1 of 60 rules').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?q=TEAP-00-000007')
    await page
      .locator('main')
      .getByRole('link', { name: /000007/ })
      .click()
    await expect.poll(() => page.url()).toContain('rule=TEAP-00-000007')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await expectSound(visit)
  })
})
