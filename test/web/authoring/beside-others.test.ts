// @module-tag long

import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openAs } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { guidanceService, type Person } from '../../support/guidance.ts'

const guidance = guidanceService()

const ADA = 'ada@example.org'
const ARTHUR = 'arthur@example.org'
const RULE = 'TEAP-00-000001'
/** The promise is two seconds; a loaded machine may take longer. */
const PATIENCE_MS = 12_000
const measured: string[] = []

describe.runIf(browserFound)('Two browsers on one component', () => {
  const surf = chromiumBrowser()
  let ada: Person
  let projectId: number
  let made: MadeComponent

  beforeAll(async () => {
    ada = await guidance().person('Ada')
    projectId = await guidance().project(await guidance().signIn(ada.email))
    await guidance().member(projectId, await guidance().person('Arthur'), 'author')
    made = await makeComponent(guidance(), ada, { projectId, name: 'Samovar', rules: 5 })
  })

  async function open(email: string, query: string): Promise<Page> {
    return openAs(await surf(guidance().service.baseUrl), email, `/components/${made.id}${query}`)
  }

  it('show each other presence, edits, locks and comments within seconds', async () => {
    const adas = await open(ADA, `?rule=${RULE}&panel=comments`)
    const arthurs = await open(ARTHUR, `?rule=${RULE}&panel=comments`)
    const list = arthurs.locator('.rules')
    await arthurs.locator('#field-status').waitFor()

    await adas.locator('#field-status').selectOption('Applicable - Configurable')
    await seen('status', arthurs.getByRole('textbox', { name: 'Fix' }))
    const title = adas.getByRole('textbox', { name: 'Requirement' })
    await title.fill('The lid must be shut before it boils.')
    await seen('title', list.getByText('The lid must be shut before it boils.'))
    // The list may be the first to have it.
    await expect
      .poll(() => arthurs.getByRole('textbox', { name: 'Requirement' }).inputValue(), { timeout: PATIENCE_MS })
      .toBe('The lid must be shut before it boils.')
    await adas.getByLabel('New comment').fill('Who shuts it?')
    await adas.getByRole('button', { name: 'Comment', exact: true }).click()
    await seen('comment', arthurs.locator('#panel').getByText('Who shuts it?'))
    await seen('count of comments', list.getByText('1 comment', { exact: false }))
    await adas.getByRole('button', { name: 'Request review …' }).click()
    await adas.locator('#review-note').fill('Done')
    await adas.getByRole('button', { name: 'Lock the rule' }).click()
    await seen('lock', arthurs.getByText(/^Locked by/).first())
    await seen('lock in the list', list.getByText('locked', { exact: true }))
    process.stdout.write(`seen by the other browser after ms: ${measured.join(', ')}\n`)
  })

  it('show each other a copied rule and its removal', async () => {
    const arthurs = await open(ARTHUR, '?rule=TEAP-00-000002&panel=review')
    const adas = await open(ADA, '?rule=TEAP-00-000002&panel=review')
    const removal = arthurs.getByRole('button', { name: 'Remove the rule' })
    expect(await removal.isDisabled()).toBe(true)
    await arthurs.getByText('administrators do that').last().waitFor()
    expect(await arthurs.getByRole('button', { name: 'Add a blank rule' }).isDisabled()).toBe(true)
    for (const page of [arthurs, adas]) page.on('dialog', (dialog) => void dialog.accept())
    await arthurs.getByRole('button', { name: 'Copy the rule' }).click()
    const section = adas.getByRole('checkbox', { name: 'Title' })
    await adas.route('**/section_locks', (route) => route.abort(), { times: 1 })
    await section.click()
    await adas.getByText('The service does not answer.').first().waitFor()
    expect(await section.isChecked()).toBe(false)
    await section.click()
    await expect.poll(() => section.isChecked()).toBe(true)
    const heading = { name: 'TEAP-00-000006' }
    await arthurs.getByRole('heading', heading).waitFor()
    const copy = adas.locator('.rules').getByRole('link', { name: /CAT.*000006/ })
    await copy.waitFor({ timeout: PATIENCE_MS })
    await copy.click()
    await adas.getByRole('heading', heading).waitFor()
    // When the single rule cannot be loaded, the whole list is.
    await arthurs.route(/rules_picker\?ids=/, (route) => route.abort(), { times: 1 })
    await adas.getByRole('button', { name: 'Remove the rule' }).click()
    await copy.waitFor({ state: 'detached' })
    await adas.getByText('Choose a rule to work on it here.').waitFor()
    await arthurs
      .locator('.rules')
      .getByRole('link', { name: /CAT.*000006/ })
      .waitFor({ state: 'detached', timeout: PATIENCE_MS })
    expect(await adas.getByText('Somebody deleted a rule').count()).toBe(0)
  })

  it('show each other a blank rule, which the first of all can be', async () => {
    const single = await makeComponent(guidance(), ada, { projectId, name: 'Urn', rules: 1 })
    const path = `/components/${single.id}?rule=${RULE}&panel=review`
    const page = await openAs(await surf(guidance().service.baseUrl), ADA, path)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Remove the rule' }).click()
    await page.getByText('There is no rule yet.').waitFor()
    const add = page.getByRole('button', { name: 'Add a blank rule' })
    await add.click()
    await page.getByRole('heading', { name: 'TEAP-00-000002' }).waitFor()
    const other = await openAs(await surf(guidance().service.baseUrl), ARTHUR, `/components/${single.id}`)
    const links = other.locator('.rules').getByRole('link', { name: /00000/ })
    await links.first().waitFor()
    await add.click()
    await page.getByRole('heading', { name: 'TEAP-00-000003' }).waitFor()
    await links.nth(1).waitFor({ timeout: PATIENCE_MS })
  })

  it('show who has which rule open, until that window is closed', async () => {
    const adas = await open(ADA, '?rule=TEAP-00-000003')
    const arthurs = await open(ARTHUR, '?rule=TEAP-00-000003')
    await adas.getByText('Arthur has this rule open, too.').waitFor({ timeout: PATIENCE_MS })
    await arthurs.getByText('Ada has this rule open, too.').waitFor({ timeout: PATIENCE_MS })
    await arthurs.getByRole('button', { name: 'Next' }).click()
    const people = adas.getByRole('list', { name: 'Who else is here' })
    await people.getByRole('link', { name: 'TEAP-00-000004' }).waitFor({ timeout: PATIENCE_MS })
    await adas.getByRole('link', { name: /000004 .*Arthur/ }).waitFor()
    expect(await adas.getByText('Arthur has this rule open, too.').count()).toBe(0)
    await arthurs.goto(`${guidance().service.baseUrl}/projects`)
    await people.getByRole('link', { name: 'TEAP-00-000004' }).waitFor({ state: 'detached', timeout: PATIENCE_MS })
  })
})

async function seen(label: string, where: Locator): Promise<void> {
  const began = performance.now()
  await where.waitFor({ timeout: PATIENCE_MS })
  measured.push(`${label} ${Math.round(performance.now() - began)}`)
}
