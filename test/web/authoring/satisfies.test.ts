// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openSignedIn } from '../../support/author-window.ts'
import { makeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { guidanceService, type Person, type SessionClient } from '../../support/guidance.ts'
import { expectSound } from '../../support/page-check.ts'

const guidance = guidanceService()

describe.runIf(browserFound)('Rules that one rule satisfies', () => {
  const surf = chromiumBrowser()
  let ada: Person
  let owner: SessionClient
  let projectId = 0

  beforeAll(async () => {
    ada = await guidance().person('Ada')
    owner = await guidance().signIn(ada.email)
    projectId = await guidance().project(owner)
  })

  it('are linked by pasted SRG ids by the keyboard, follow it in the list, and show its check and fix', async () => {
    const { id, rules } = await makeComponent(guidance(), ada, { projectId, rules: 3 })
    const [parent = 0, , third = 0] = rules
    const rule = {
      status: 'Applicable - Configurable',
      fixtext: 'Weld the lid.',
      checks_attributes: [{ content: 'Pull at the lid.' }],
    }
    await owner.call('PUT', `/rules/${third}`, { body: { rule } })
    const { version } = z.looseObject({ version: z.string() }).parse((await owner.call('GET', `/rules/${parent}`)).body)

    const visit = await openSignedIn(
      await surf(guidance().service.baseUrl),
      ada.email,
      `/components/${id}?tool=bulk&by=TEAP-00-000003`,
    )
    const { page } = visit
    await page.getByRole('checkbox', { name: 'Choose TEAP-00-000002' }).press('Space')
    await page.getByLabel('those with these SRG ids').fill(`${version.toLowerCase()},\n${version}`)
    await expectSound(visit)
    await page.getByRole('button', { name: 'Link 1 chosen rule and 1 SRG id' }).press('Enter')
    await page.getByText('2 rules are now satisfied.').waitFor()
    const ids = page.locator('.rules .rule .id')
    await expect.poll(() => ids.allTextContents()).toEqual(['000003', '000001', '000002'])
    expect(await page.locator('.rules .rule.satisfied .requirement').first().textContent()).toContain(version)

    await page.goto(new URL(`/components/${id}?rule=TEAP-00-000001`, guidance().service.baseUrl).href)
    await page.getByText('This rule can only be read.').waitFor()
    await page.locator('[data-field="fixtext"]').getByText('Weld the lid.').waitFor()
    await page.locator('[data-field="content"]').getByText('Pull at the lid.').waitFor()
    expect(await page.locator('.rule.pane textarea, #rule-controls select').count()).toBe(0)
    await expectSound(visit)
  })
})
