// @module-tag long

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openAs } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { accessibilityFaults, browserFound, chromiumBrowser, fillInSignIn, type Surfer } from '../../support/browser.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService, PASSWORD } from '../../support/guidance.ts'

const guidance = guidanceService()

const ADA = 'ada@example.org'
const ARTHUR = 'arthur@example.org'

describe.runIf(browserFound)('A person whose session ends on a page', () => {
  const surf = chromiumBrowser()
  let made: MadeComponent
  let arthur = 0

  beforeAll(async () => {
    const ada = await guidance().signUp('Ada')
    const projectId = await guidance().project(ada)
    const person = await guidance().person('Arthur')
    arthur = person.id
    await guidance().member(projectId, person, 'admin')
    made = await makeComponent(guidance(), ada, { projectId, rules: 5 })
  })

  async function sit(path: string): Promise<{ readonly surfer: Surfer; readonly page: Page }> {
    const surfer = await surf(guidance().service.baseUrl)
    const page = await openAs(surfer, ADA, path)
    await page.getByRole('button', { name: 'Account: Ada' }).waitFor()
    return { surfer, page }
  }

  it('signs in there, and the pending change is sent: a comment', async () => {
    const { page } = await sit(`/components/${made.id}/triage?view=table`)
    // As on any day but the first: nobody has signed in at this page itself.
    await page.reload()
    const comment = page.getByLabel('New comment')
    await reveal(page)
    await comment.fill('The lid is loose')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const dialog = endedIn(page)
    await dialog.getByLabel('Password').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    // Not yet: what is written stays, and can be sent again.
    await dialog.getByRole('button', { name: 'Back to the page' }).click()
    await page.getByText('What is written here stays: sign in, and send it again.').waitFor()
    expect(await comment.inputValue()).toBe('The lid is loose')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await signInAgain(page)
    await expect.poll(() => comments()).toEqual([['The lid is loose', 'Ada']])
    await expect.poll(() => comment.inputValue()).toBe('')
  })

  it('signs in there, and the pending change is sent: a change of several rules', async () => {
    const { page } = await sit(`/components/${made.id}?tool=bulk`)
    await page.getByRole('button', { name: 'Choose all shown' }).click()
    await page.locator('.one').getByLabel('Severity').first().selectOption('low')
    await page.context().clearCookies()
    await page.getByRole('button', { name: /^Change \d rules$/ }).click()
    await signInAgain(page)
    await page.getByText(/\d rules changed\./).waitFor()
  })

  it('continues after a sign-in in another window: find and replace', async () => {
    const { page, surfer } = await sit(`/components/${made.id}?tool=replace`)
    await page.getByLabel('Find in the texts of the rules').fill('nowhere to be found')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Show what would change' }).click()
    await endedIn(page).waitFor()
    const { page: other } = await surfer.open('/users/sign_in')
    await fillInSignIn(other, ADA, PASSWORD)
    await endedIn(page).waitFor({ state: 'detached' })
    await page.getByText('Nothing has been changed yet').waitFor()
    expect(await page.getByLabel('Find in the texts of the rules').inputValue()).toContain('nowhere')
  })

  it('signs in there, and the pending change is sent: locking for the release', async () => {
    const { page } = await sit(`/components/${made.id}/readiness`)
    await page.getByLabel('Why they are locked').fill('They are good')
    await page.context().clearCookies()
    page.once('dialog', (asked) => void asked.accept())
    await page.getByRole('button', { name: 'Lock all that are complete' }).click()
    await signInAgain(page)
    await page.locator('#status').getByText(/lock/i).waitFor()
    expect(await page.getByLabel('Why they are locked').inputValue()).toBe('They are good')
  })

  it('sends nothing in the name of another person who has signed in meanwhile', async () => {
    const { page, surfer } = await sit(`/components/${made.id}/triage?view=table`)
    const before = await comments()
    await reveal(page)
    await page.getByLabel('New comment').fill('Written by Ada')
    const { page: other } = await surfer.open('/account')
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.waitForURL('**/users/sign_in')
    await fillInSignIn(other, ARTHUR, PASSWORD)
    await other.waitForURL('**/home')
    const dialog = page.getByRole('alertdialog', { name: 'Somebody else has signed in' })
    await dialog.getByText('Arthur is signed in here now.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Back to the page' }).click()
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await dialog.waitFor()
    expect(await comments()).toEqual(before)
    expect(await page.getByLabel('New comment').inputValue()).toBe('Written by Ada')
    await dialog.getByRole('button', { name: 'Sign in as Ada' }).click()
    await signInAgain(page, dialog)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect.poll(() => comments()).toContainEqual(['Written by Ada', 'Ada'])
  })

  it('is not confused with a person who signed in elsewhere unnoticed', async () => {
    const { page } = await sit(`/components/${made.id}/triage?view=table`)
    const before = await comments()
    await reveal(page)
    await page.getByLabel('New comment').fill('Also by Ada')
    const login = await page.request.post(`${guidance().service.baseUrl}/api/auth/login`, {
      data: { email: ARTHUR, password: PASSWORD },
    })
    expect(login.status()).toBe(200)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Somebody else has signed in' })
    await dialog.waitFor()
    expect(await comments()).toEqual(before)
    await dialog.getByRole('button', { name: 'Leave it, and go on as Arthur' }).click()
    await page.getByRole('button', { name: 'Account: Arthur' }).waitFor()
  })

  it('finds drafts of former projects on the home page, to copy or discard them', async () => {
    const page = await openAs(
      await surf(guidance().service.baseUrl),
      ARTHUR,
      `/components/${made.id}?rule=TEAP-00-000005`,
    )
    await page.locator('#field-status').selectOption('Applicable - Configurable')
    await page.getByText(/^Saved \d/).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('textbox', { name: 'Fix' }).fill('Polish the spout')
    await page.getByText('The service does not answer.').first().waitFor()
    await alter(guidance(), (writer) => writer.deleteFrom('memberships').where('user_id', '=', arthur).execute())
    await page.context().setOffline(false)
    await page.goto(`${guidance().service.baseUrl}/home`)
    const kept = page.getByRole('region', { name: 'Kept in this browser, not saved' })
    await kept.getByText('Polish the spout').waitFor()
    await kept.getByRole('button', { name: 'Copy Fix' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    page.once('dialog', (asked) => void asked.accept())
    await kept.getByRole('button', { name: 'Discard' }).click()
    await kept.waitFor({ state: 'detached' })
  })

  async function comments(): Promise<readonly (readonly [string, string])[]> {
    const client = await guidance().signIn(ADA)
    const { body } = await client.call('GET', `/components/${made.id}/comments?triage_status=all`)
    const row = z.looseObject({ comment: z.string(), author_name: z.string() })
    const { rows } = z.looseObject({ rows: z.array(row) }).parse(body)
    return rows.map(({ comment, author_name }) => [comment, author_name])
  }
})

function endedIn(page: Page) {
  return page.getByRole('alertdialog', { name: 'Your session has ended' })
}

async function reveal(page: Page): Promise<void> {
  await page.getByText('Comment on the whole component').click()
}

async function signInAgain(page: Page, dialog = endedIn(page)): Promise<void> {
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}
