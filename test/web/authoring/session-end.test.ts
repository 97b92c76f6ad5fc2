// @module-tag long

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openSignedIn } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { accessibilityFaults, browserFound, chromiumBrowser, type Surfer } from '../../support/browser.ts'
import { setRows } from '../../support/guidance-records.ts'
import { guidanceService, PASSWORD } from '../../support/guidance.ts'

const guidance = guidanceService()
const ADA = 'ada@example.org'
const LEFT = 'x-session-ends-in'
const withText = z.looseObject({ fixtext: z.string().nullable() })

describe.runIf(browserFound)('The end of a session', () => {
  const surf = chromiumBrowser()
  let made: MadeComponent

  beforeAll(async () => {
    const ada = await guidance().signUp('Ada')
    const projectId = await guidance().project(ada)
    made = await makeComponent(guidance(), ada, { projectId, rules: 3 })
  })

  /** The page is told that its session has so many seconds left, as if nothing had been done for long. */
  async function shorten(surfer: Surfer, seconds: number): Promise<void> {
    await surfer.context.route('**/api/auth/me', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), [LEFT]: String(seconds) } })
    })
  }

  /** As if the last request had been an hour ago. */
  async function endSessions(): Promise<void> {
    const touched_at = new Date(Date.now() - 3_600_000).toISOString()
    await setRows(guidance(), 'sessions', { touched_at })
  }

  it('is stated in seconds in every answer by session', async () => {
    const client = await guidance().signIn(ADA)
    const { headers } = await client.call('GET', '/api/auth/me')
    expect(Number(headers[LEFT])).toBeGreaterThan(560)
    expect(Number(headers[LEFT])).toBeLessThanOrEqual(600)
    expect((await guidance().nobody.call('GET', '/api/settings')).headers[LEFT]).toBeUndefined()
  })

  it('is announced in all windows, and can be put off', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = await openSignedIn(surfer, ADA, '/comments')
    const { page: other } = await surfer.open('/home')
    const windows = [page, other]
    for (const window of windows) await window.getByRole('button', { name: 'Account: Ada' }).waitFor()
    // Another answer would say that the session lasts longer.
    for (const window of windows) await window.waitForLoadState('networkidle')
    await setEnd(page, 20_000)
    for (const window of windows) await noticeIn(window).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    for (const window of windows) await noticeIn(window).waitFor({ state: 'detached' })
  })

  it('cannot be put off beyond the maximum age of a session', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = await openSignedIn(surfer, ADA, '/comments')
    await page.getByRole('button', { name: 'Account: Ada' }).waitFor()
    await page.waitForLoadState('networkidle')
    await shorten(surfer, 60)
    await setEnd(page, 60_000)
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await page.getByText('and cannot be extended').waitFor()
  })

  it('loses no typed text: all is sent after signing in again', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const path = `/components/${made.id}?rule=TEAP-00-000002&panel=comments`
    const { page } = await openSignedIn(surfer, ADA, path)
    const fix = page.getByRole('textbox', { name: 'Fix' })
    await page.locator('#field-status').selectOption('Applicable - Configurable')
    await fix.fill('Fill the kettle')
    await page.getByText(/^Saved \d/).waitFor()
    await page.locator('#panel textarea').first().fill('Is the kettle clean?')
    await endSessions()
    await setEnd(page, 0)
    await page.getByText('Your session has ended. What is written here stays.').waitFor()
    await fix.press('End')
    await fix.pressSequentially(', and boil the water')
    await page.getByText('Your session has ended; it is kept in this browser.').waitFor()
    await page.getByRole('button', { name: 'Sign in again' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Saved \d/).waitFor()
    expect(await fix.inputValue()).toBe('Fill the kettle, and boil the water')
    expect(await stored()).toBe('Fill the kettle, and boil the water')
    expect(await page.getByText('Your session has ended. What').count()).toBe(0)
    // Text that no autosave had sent is still in its field, and can be sent.
    expect(await page.locator('#panel textarea').first().inputValue()).toBe('Is the kettle clean?')
    await page.locator('#panel').getByRole('button', { name: 'Comment', exact: true }).click()
    await page.locator('#panel').getByText('Is the kettle clean?').first().waitFor()
  })

  async function stored(): Promise<string | null> {
    const client = await guidance().signIn(ADA)
    const { body } = await client.call('GET', `/rules/${made.rules[1] ?? 0}`)
    return withText.parse(body).fixtext
  }
})

function noticeIn(page: Page) {
  return page.getByText(/^Your session ends at \d\d:\d\d unless you stay\.$/)
}

/** Another window of the browser has learnt how long the session lasts. */
async function setEnd(page: Page, milliseconds: number): Promise<void> {
  await page.evaluate(`{
    const at = Date.now() + ${milliseconds}
    const newValue = JSON.stringify({ at, noticeAt: Date.now() })
    localStorage.setItem('parapet.session-ends', newValue)
    dispatchEvent(new StorageEvent('storage', { key: 'parapet.session-ends', newValue }))
  }`)
}
