// @module-tag long

import { describe, expect, it } from 'vitest'
import { projectOwner } from '../../support/author-window.ts'
import type { MadeComponent } from '../../support/authoring.ts'
import { browserFound } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'

const guidance = guidanceService()

describe.runIf(browserFound)('Find and replace', () => {
  const owner = projectOwner(guidance)

  async function makeWithFix(fix: string): Promise<MadeComponent> {
    const component = await owner().makeComponent({ rules: 2 })
    for (const id of component.rules)
      await owner().client.call('PUT', `/rules/${id}`, { body: { rule: { fixtext: fix } } })
    return component
  }

  async function fixOf(id: number | undefined): Promise<unknown> {
    return (await owner().client.call('GET', `/rules/${id ?? 0}`)).body
  }

  it('shows exactly what changes, and replaces one match at a time by the keyboard', async () => {
    const { id, rules } = await makeWithFix('Logs: log it, analog, LOG it.')
    const visit = await owner().open(`/components/${id}?tool=replace`)
    const { page } = visit
    await page.getByLabel('Find in the texts of the rules').fill('log')
    await page.getByLabel('Replace with').fill('record')
    await page.getByLabel('Whole words only').press('Space')
    await page.getByText('In all fields').click()
    await page.getByLabel('Fix', { exact: true }).check()
    await page.getByLabel('Reason, for the history (optional)').fill('One word for it.')
    await page.getByLabel('Replace with').press('Enter')
    const hits = page.getByRole('list', { name: 'What would change' })
    await hits.first().waitFor()
    expect(await hits.locator('del').allTextContents()).toEqual(['log', 'LOG', 'log', 'LOG'])
    expect(await hits.locator('ins').allTextContents()).toEqual(['record', 'record', 'record', 'record'])
    await expectSound(visit)
    await hits
      .getByRole('button', { name: /^Replace this one/ })
      .nth(1)
      .press('Enter')
    await expect.poll(() => hits.locator('del').allTextContents()).toEqual(['log', 'log', 'LOG'])
    const focused = 'document.activeElement.textContent.trim()'
    await expect.poll(() => page.evaluate(focused)).toContain('Replace this one')
    expect(await fixOf(rules[0])).toMatchObject({ fixtext: 'Logs: log it, analog, record it.' })
    await hits.getByRole('checkbox').last().press('Space')
    await page.getByRole('button', { name: 'Replace in 2 rules' }).press('Enter')
    await page.getByText('Text replaced. 2 matches in 2 rules').waitFor()
    expect(await fixOf(rules[0])).toMatchObject({ fixtext: 'Logs: record it, analog, record it.' })
    expect(await fixOf(rules[1])).toMatchObject({ fixtext: 'Logs: record it, analog, LOG it.' })
    expect(JSON.stringify(await fixOf(rules[1]))).toContain('One word for it.')
  })

  it('skips a text that was changed after the preview', async () => {
    const { id, rules } = await makeWithFix('Shut the lid.')
    const { page } = await owner().open(`/components/${id}?tool=replace`)
    await page.getByLabel('Find in the texts of the rules').fill('the lid')
    await page.getByLabel('Replace with').fill('it')
    await page.getByLabel('Replace with').press('Enter')
    const replace = page.getByRole('button', { name: 'Replace in 2 rules' })
    await replace.waitFor()
    await owner().client.call('PUT', `/rules/${rules[0]}`, { body: { rule: { fixtext: 'Never shut the lid.' } } })
    await replace.press('Enter')
    await page.getByText('Text replaced.').waitFor()
    expect(await fixOf(rules[0])).toMatchObject({ fixtext: 'Never shut the lid.' })
    expect(await fixOf(rules[1])).toMatchObject({ fixtext: 'Shut it.' })
  })

  it('is undone for chosen fields of a change in the history', async () => {
    const { id, rules } = await makeWithFix('First.')
    const rule = { fixtext: 'Second.', status_justification: 'Because.', vendor_comments: 'Note.' }
    await owner().client.call('PUT', `/rules/${rules[0]}`, { body: { rule } })
    await owner().client.call('PUT', `/rules/${rules[0]}`, { body: { rule: { vendor_comments: 'Newer.' } } })
    const visit = await owner().open(`/components/${id}?rule=TEAP-00-000001&panel=history`)
    const { page } = visit
    const entry = page.getByRole('listitem').filter({ hasText: 'Status justification' }).first()
    await entry.getByRole('button', { name: /^Restore …/ }).press('Enter')
    await entry.getByRole('checkbox', { name: /^Vendor comments/i }).press('Space')
    await expectNoTroubles(visit)
    await entry.getByRole('button', { name: 'Restore', exact: true }).press('Enter')
    await expect.poll(async () => JSON.stringify(await fixOf(rules[0]))).toContain('"fixtext":"First."')
    expect(await fixOf(rules[0])).toMatchObject({ vendor_comments: 'Newer.', status_justification: null })
  })
})
