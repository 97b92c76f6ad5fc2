// @module-tag long

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAs } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService, type Person, type SessionClient } from '../../support/guidance.ts'

const guidance = guidanceService()

describe.runIf(browserFound)('By the keyboard', () => {
  const surf = chromiumBrowser()
  let ada: Person
  let bob: SessionClient
  let made: MadeComponent

  beforeAll(async () => {
    ada = await guidance().person('Ada')
    const projectId = await guidance().project(await guidance().signIn(ada.email))
    const other = await guidance().person('Bob')
    await guidance().member(projectId, other, 'author')
    bob = await guidance().signIn(other.email)
    made = await makeComponent(guidance(), ada, { projectId, rules: 3 })
    await alter(guidance(), async (writer) => {
      const written = { status: 'Applicable - Configurable', fixtext: 'Close the lid.' } as const
      await writer.updateTable('rules').set(written).where('component_id', '=', made.id).execute()
    })
  })

  async function open(query: string): Promise<Page> {
    const path = `/components/${made.id}${query}`
    return openAs(await surf(guidance().service.baseUrl), ada.email, path)
  }

  async function expectFocus(page: Page, text: string): Promise<void> {
    const focused = 'document.activeElement.textContent.trim().replaceAll(/\\s+/g, " ")'
    await expect.poll(() => page.evaluate(focused)).toContain(text)
  }

  it('rules are chosen for a change in a narrow window, and the result gets the focus', async () => {
    const page = await open('?rule=TEAP-00-000001')
    // The size of a window of 1280 by 1440 at a zoom of 200 %.
    await page.setViewportSize({ width: 640, height: 720 })
    await page.getByRole('link', { name: 'All rules' }).press('Enter')
    await page.getByRole('link', { name: 'Edit several' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Choose TEAP-00-000002' }).press('Space')
    await page.getByRole('button', { name: 'Skip to the rule' }).press('Enter')
    await page.getByRole('combobox', { name: 'Severity' }).selectOption('low')
    await page.getByRole('button', { name: 'Change 1 rule' }).press('Enter')
    await expectFocus(page, '1 rule changed.')
    await page.keyboard.press('Tab')
    await expectFocus(page, 'Undo')
    await page.keyboard.press('Enter')
    await expectFocus(page, 'Undone.')
  })

  it('the search field has the focus, then the result of the replacement', async () => {
    const page = await open('')
    await page.getByRole('link', { name: 'Replace' }).press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('find-text')
    await page.keyboard.type('Close the lid.')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Open it.')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing has been changed yet. 3 matches in 3 rules').waitFor()
    await page.getByRole('button', { name: 'Replace in 3 rules' }).press('Enter')
    await expectFocus(page, 'Text replaced. 3 matches in 3 rules')
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expectFocus(page, 'Replacement undone. 3 texts in 3 rules')
  })

  it('choosing the other version returns to the field, and undoing asks for confirmation', async () => {
    const page = await open('?rule=TEAP-00-000003&panel=history')
    const field = page.getByRole('textbox', { name: 'Fix', exact: true })
    await field.waitFor()
    await page.route('**/rules/*', (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()))
    await field.fill('Mine.')
    await bob.call('PUT', `/rules/${made.rules[2]}`, { body: { rule: { fixtext: 'Theirs.' } } })
    await page.unroute('**/rules/*')
    await page.getByRole('button', { name: 'Take theirs' }).press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field-fixtext')
    await expect.poll(() => field.inputValue()).toBe('Theirs.')
    await page.getByRole('button', { name: 'Restore my text for Fix' }).waitFor()
    await page
      .getByRole('button', { name: /^Restore … what Bob changed/ })
      .first()
      .press('Enter')
    await expectFocus(page, 'Restore')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expectFocus(page, 'Restore … what Bob changed')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('button', { name: 'Cancel' }).count()).toBe(1)
    await page.keyboard.press('Enter')
    await expectFocus(page, 'Fix: as before that change.')
  })
})
