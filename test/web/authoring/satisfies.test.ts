// @module-tag long

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { projectOwner } from '../../support/author-window.ts'
import { browserFound } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'

const guidance = guidanceService()

describe.runIf(browserFound)('Rules that one rule satisfies', () => {
  const owner = projectOwner(guidance)

  it('are linked by pasted SRG ids by the keyboard, follow it in the list, and show its check and fix', async () => {
    const { id, rules } = await owner().makeComponent({ rules: 3 })
    const [parent = 0, , third = 0] = rules
    const rule = {
      status: 'Applicable - Configurable',
      fixtext: 'Weld the lid.',
      checks_attributes: [{ content: 'Pull at the lid.' }],
    }
    await owner().client.call('PUT', `/rules/${third}`, { body: { rule } })
    const { version } = z
      .looseObject({ version: z.string() })
      .parse((await owner().client.call('GET', `/rules/${parent}`)).body)

    const visit = await owner().open(`/components/${id}?tool=bulk&by=TEAP-00-000003`)
    const { page } = visit
    await page.getByRole('checkbox', { name: 'Choose TEAP-00-000002' }).press('Space')
    await page.getByLabel('those with these SRG ids').fill(`${version.toLowerCase()},\n${version}`)
    await expectSound(visit)
    await page.getByRole('button', { name: 'Link 1 chosen rule and 1 SRG id' }).press('Enter')
    await page.getByText('2 rules are now satisfied.').waitFor()
    const ids = page.locator('.rules .rule .id')
    await expect.poll(() => ids.allTextContents()).toEqual(['000003', '000001', '000002'])
    expect(await page.locator('.rules .rule.satisfied .requirement').first().textContent()).toContain(version)

    await page.getByRole('button', { name: 'Undo 2 links' }).press('Enter')
    await page.getByText('2 links taken back.').waitFor()
    await expect.poll(() => ids.allTextContents()).toEqual(['000001', '000002', '000003'])
    await page.getByRole('checkbox', { name: 'Choose TEAP-00-000001' }).press('Space')
    await page.getByRole('button', { name: 'Link 2 chosen rules' }).press('Enter')
    await page.getByText('2 rules are now satisfied.').waitFor()

    await page.goto(new URL(`/components/${id}?rule=TEAP-00-000001`, guidance().service.baseUrl).href)
    await page.getByText('This rule can only be read.').waitFor()
    await page.locator('[data-field="fixtext"]').getByText('Weld the lid.').waitFor()
    await page.locator('[data-field="content"]').getByText('Pull at the lid.').waitFor()
    expect(await page.locator('.rule.pane textarea, #rule-controls select').count()).toBe(0)
    await expectNoTroubles(visit)
  })
})
