// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openAs } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser, fillInSignIn } from '../../support/browser.ts'
import { freePort } from '../../support/free-port.ts'
import { guidanceService, PASSWORD, startGuidance, type GuidanceUnderTest } from '../../support/guidance.ts'
import { isDeep } from '../../support/runs.ts'
import { prepareService } from '../../support/service-process.ts'

const guidance = guidanceService()

const ADA = 'ada@example.org'
const ARTHUR = 'arthur@example.org'
const ROUNDS = isDeep ? 20 : 4
/** The promise between two browsers is shorter; a loaded machine may take longer. */
const SOON = { timeout: 15_000 }

describe.runIf(browserFound)('Text typed in the editor', () => {
  const surf = chromiumBrowser()
  let made: MadeComponent

  beforeAll(async () => {
    made = await makeTeam(guidance())
  })

  async function open(email: string, rule: number): Promise<Page> {
    return openAs(await surf(guidance().service.baseUrl), email, pathOf(made, rule))
  }

  it(`loses no letter of either side in ${ROUNDS} conflicts in a row`, async () => {
    const [adas, arthurs] = [await open(ADA, 1), await open(ARTHUR, 1)]
    await choose(adas, 'Applicable - Configurable')
    await fixOf(arthurs).waitFor()
    let text = ''
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [mine, yours] = [`${text}a${round} `, `${text}b${round} `]
      await Promise.all([fixOf(adas).fill(mine), fixOf(arthurs).fill(yours)])
      await Promise.all([save(adas), save(arthurs)])
      const asked = await whoeverIsAsked([adas, arthurs])
      const ownText = await fixOf(asked).inputValue()
      expect([mine, yours]).toContain(ownText)
      const theirs = ownText === mine ? yours : mine
      expect((await boxOf(asked).innerText()).replaceAll(/\s+/g, ' ')).toContain(theirs.trim())
      text = `${theirs}${ownText.slice(text.length)}`
      await fixOf(asked).fill(text)
      await boxOf(asked).getByRole('button', { name: 'Keep what is written above' }).click()
      for (const page of [adas, arthurs]) await expect.poll(() => fixOf(page).inputValue(), SOON).toBe(text)
      expect(await boxOf(adas).count()).toBe(0)
    }
    for (let round = 1; round <= ROUNDS; round += 1)
      expect(text).toMatch(new RegExp(`\\ba${round} .*\\bb${round} |\\bb${round} .*\\ba${round} `))
    expect(await storedFix(made.rules[0])).toBe(text)
  })

  it('can be restored after the other text was chosen', async () => {
    const [adas, arthurs] = [await open(ADA, 2), await open(ARTHUR, 2)]
    await choose(adas, 'Applicable - Configurable')
    await fixOf(arthurs).fill('By Arthur')
    await fixOf(adas).fill('By Ada')
    await save(adas)
    await boxOf(arthurs).getByText('was changed by Ada').waitFor()
    await boxOf(arthurs).getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => fixOf(arthurs).inputValue()).toBe('By Ada')
    await arthurs.getByRole('button', { name: 'Restore my text for Fix' }).click()
    await expect.poll(() => storedFix(made.rules[1]), SOON).toBe('By Arthur')
  })

  it('can be decided on when the other author has chosen a status that hides it', async () => {
    const [adas, arthurs] = [await open(ADA, 3), await open(ARTHUR, 3)]
    await choose(adas, 'Applicable - Configurable')
    await fixOf(arthurs).waitFor()
    await arthurs.context().setOffline(true)
    await fixOf(arthurs).fill('By Arthur')
    await fixOf(adas).fill('By Ada')
    await choose(adas, 'Not Applicable')
    await arthurs.context().setOffline(false)
    await boxOf(arthurs).getByText('By Ada', { exact: true }).waitFor()
    await boxOf(arthurs).getByRole('button', { name: 'Keep what is written above' }).click()
    await expect.poll(() => storedFix(made.rules[2]), SOON).toBe('By Arthur')
  })

  it('stays each window’s own where one person has the rule open in two', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const firstWindow = await openAs(surfer, ADA, pathOf(made, 4))
    await choose(firstWindow, 'Applicable - Configurable')
    const { page: secondWindow } = await surfer.open(pathOf(made, 4))
    await fixOf(secondWindow).waitFor()
    await surfer.context.setOffline(true)
    await fixOf(firstWindow).fill('In the one')
    await joinChecks(firstWindow).fill('Checked in the one')
    await fixOf(secondWindow).fill('In the other')
    expect(await fixOf(firstWindow).inputValue()).toBe('In the one')
    // A window that is gone leaves what it had to the next that opens the rule.
    await firstWindow.close()
    await surfer.context.setOffline(false)
    await secondWindow.reload()
    await boxOf(secondWindow).waitFor()
    // Either draft may be sent first, depending on what was under way.
    const shown = await fixOf(secondWindow).inputValue()
    expect(['In the one', 'In the other']).toContain(shown)
    const first = shown === 'In the one' ? 'In the other' : 'In the one'
    await expect.poll(() => storedFix(made.rules[3]), SOON).toBe(first)
    await expect.poll(() => joinChecks(secondWindow).inputValue()).toBe('Checked in the one')
    await boxOf(secondWindow).getByRole('button', { name: 'Keep what is written above' }).click()
    await expect.poll(() => storedFix(made.rules[3]), SOON).toBe(shown)
    await expect.poll(() => draftsIn(secondWindow)).toBe(0)
  })

  it('causes no conflict if a window stored it while it closed', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const firstWindow = await openAs(surfer, ADA, pathOf(made, 9))
    await choose(firstWindow, 'Applicable - Configurable')
    const { page: secondWindow } = await surfer.open(pathOf(made, 9))
    await fixOf(secondWindow).waitFor()
    // Neither window learns that its edits are stored.
    for (const page of [firstWindow, secondWindow]) {
      await page.route('**/rules/*', async (route) => {
        if (route.request().method() === 'PUT' && page === firstWindow) await route.fetch()
        if (route.request().method() === 'PUT') await route.abort()
        else await route.continue()
      })
    }
    await fixOf(secondWindow).fill('In the other')
    await fixOf(firstWindow).fill('In the one')
    await expect.poll(() => storedFix(made.rules[8]), SOON).toBe('In the one')
    await firstWindow.close()
    await secondWindow.unroute('**/rules/*')
    await secondWindow.reload()
    await boxOf(secondWindow).getByText('Their changes').waitFor()
    await boxOf(secondWindow).getByRole('button', { name: 'Keep what is written above' }).click()
    await expect.poll(() => storedFix(made.rules[8]), SOON).toBe('In the other')
    await expect.poll(() => draftsIn(secondWindow)).toBe(0)
    expect(await boxOf(secondWindow).count()).toBe(0)
  })

  it('is saved although another field of the rule is refused, which waits for a correction', async () => {
    const page = await open(ADA, 7)
    await choose(page, 'Applicable - Configurable')
    const title = page.getByRole('textbox', { name: 'Requirement', exact: true })
    const was = await title.inputValue()
    await title.fill('')
    await page.getByText(/^Not saved: /).waitFor()
    await fixOf(page).fill('Hold the lid')
    await expect.poll(() => storedFix(made.rules[6]), SOON).toBe('Hold the lid')
    await page.getByText(/^Not saved: .*[Tt]itle.*\. It is kept in this browser\.$/).waitFor()
    expect(await draftsIn(page)).toBe(1)
    await page.reload()
    await page.getByText(/^Not saved: .*[Tt]itle/).waitFor()
    expect(await title.inputValue()).toBe('')
    await title.fill(`${was}, mended`)
    await page.getByText(/^Saved \d/).waitFor()
    // A later refusal shows its own reason.
    await title.fill('')
    await page.getByText(/^Not saved: .*[Tt]itle/).waitFor()
    await title.fill(`${was}, mended twice`)
    await page.getByText(/^Saved \d/).waitFor()
    await expect.poll(() => draftsIn(page)).toBe(0)
  })

  it('is saved after the session has ended and another window has signed in', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const page = await openAs(surfer, ADA, pathOf(made, 5))
    await choose(page, 'Applicable - Configurable')
    await page.context().clearCookies()
    await fixOf(page).pressSequentially('Typed while the session ends', { delay: 40 })
    await page.getByText('Your session has ended; it is kept in this browser.').waitFor()
    await fixOf(page).pressSequentially(', and after', { delay: 40 })
    const { page: other } = await surfer.open('/users/sign_in')
    await fillInSignIn(other, ADA, PASSWORD)
    await expect.poll(() => storedFix(made.rules[4]), SOON).toMatch(/Typed while the session ends, and after$/)
    await page.getByText(/^Saved \d/).waitFor()
  })

  it('is not sent by the session of another person', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const page = await openAs(surfer, ADA, pathOf(made, 6))
    await choose(page, 'Applicable - Configurable')
    await page.getByText(/^Saved \d/).waitFor()
    const before = await fixOf(page).inputValue()
    await page.context().clearCookies()
    await fixOf(page).fill('By Ada')
    await page.getByText('Your session has ended; it is kept in this browser.').waitFor()
    const { page: other } = await surfer.open('/users/sign_in')
    await fillInSignIn(other, ARTHUR, PASSWORD)
    // Only once somebody says so, it is loaded anew for him, and hers waits for her.
    await page.getByText('Arthur is signed in here now.').waitFor(SOON)
    const behind = page.getByRole('textbox', { name: 'Fix', includeHidden: true })
    expect(await behind.inputValue()).toBe('By Ada')
    await page.getByRole('button', { name: 'Leave it, and go on as Arthur' }).click()
    await page.getByRole('button', { name: 'Account: Arthur' }).waitFor(SOON)
    expect(await fixOf(page).inputValue()).toBe(before)
    expect(await storedFix(made.rules[5])).toBe(before)
    expect(await draftsIn(page)).toBe(1)
  })

  it('can be copied after the rule was deleted, until it is discarded', async () => {
    const page = await open(ARTHUR, 8)
    await choose(page, 'Applicable - Configurable')
    await page.getByText(/^Saved \d/).waitFor()
    await page.context().setOffline(true)
    await fixOf(page).fill('Polish it')
    const owner = await guidance().signIn(ADA)
    expect((await owner.call('DELETE', `/rules/${made.rules[7]}`)).status).toBe(200)
    await page.context().setOffline(false)
    const lost = page.getByRole('region', { name: 'Not saved' })
    await lost.getByText('Polish it').waitFor()
    await page.reload()
    await lost.getByText('Polish it').waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await lost.getByRole('button', { name: 'Forget it' }).click()
    await lost.waitFor({ state: 'detached' })
    expect(await draftsIn(page)).toBe(0)
  })

  // For a page, it is away for a while; that it keeps what it has acknowledged is seen where it is killed alone.
  it.runIf(isDeep)('is complete after the service was killed and started again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const before = await startGuidance(dataDir)
    const { id } = await makeTeam(before)
    await before.service.close()
    const env = {
      SERVICE_DATA_DIR: dataDir,
      SERVICE_PORT: String(await freePort()),
      SERVICE_RATE_LIMIT_ENABLED: 'false',
      SERVICE_DRAIN_SECONDS: '0',
    }
    const start = async () => {
      const service = prepareService(env)
      await service.loaded()
      await service.open()
      return { service, port: await service.listening() }
    }
    const { service, port } = await start()
    const surfer = await surf(`http://127.0.0.1:${port}`)
    const page = await openAs(surfer, ADA, pathOf({ id }, 1))
    await choose(page, 'Applicable - Configurable')
    await page.getByText(/^Saved \d/).waitFor()
    await fixOf(page).fill('')
    const typed = type(page, 'Typed before, while and after the service was killed. '.repeat(2))
    await page.waitForTimeout(2500)
    await service.kill()
    await page.getByText('The service does not answer.').first().waitFor()
    expect(await draftsIn(page)).toBe(1)
    await start()
    const text = await typed
    await page.getByText(/^Saved \d/).waitFor({ timeout: 20_000 })
    expect(await fixOf(page).inputValue()).toBe(text)
    await page.reload()
    await fixOf(page).waitFor()
    expect(await fixOf(page).inputValue()).toBe(text)
    expect([await draftsIn(page), await boxOf(page).count()]).toEqual([0, 0])
  })

  async function storedFix(rule = 0): Promise<unknown> {
    const client = await guidance().signIn(ADA)
    const { body } = await client.call('GET', `/rules/${rule}?histories=false`)
    return z.looseObject({ fixtext: z.string().nullable() }).parse(body).fixtext
  }
})

/** A component with two authors. */
async function makeTeam(under: GuidanceUnderTest): Promise<MadeComponent> {
  const ada = await under.signUp('Ada')
  const projectId = await under.project(ada, { name: 'Kitchen' })
  await under.member(projectId, await under.person('Arthur'), 'author')
  return makeComponent(under, ada, { projectId, name: 'Samovar', rules: 9 })
}

function pathOf({ id }: Pick<MadeComponent, 'id'>, rule: number): string {
  return `/components/${id}?rule=TEAP-00-00000${rule}`
}

async function choose(page: Page, status: string): Promise<void> {
  await page.locator('#field-status').selectOption(status)
  await page.getByText(/^Saved \d/).waitFor()
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
}

async function type(page: Page, text: string): Promise<string> {
  await fixOf(page).pressSequentially(text, { delay: 40, timeout: 60_000 })
  return text
}

function fixOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Fix' })
}

function joinChecks(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Check' })
}

function boxOf(page: Page): Locator {
  return page.getByRole('group', { name: 'Fix: two versions' })
}

/** The one of two who was slower. */
async function whoeverIsAsked(pages: readonly [Page, Page]): Promise<Page> {
  const asked = async (): Promise<number> => {
    const [firstCount, secondCount] = await Promise.all(pages.map((page) => boxOf(page).count()))
    return firstCount === 1 ? 0 : secondCount === 1 ? 1 : -1
  }
  await expect.poll(asked, SOON).toBeGreaterThan(-1)
  return (await asked()) === 0 ? pages[0] : pages[1]
}

async function draftsIn(page: Page): Promise<unknown> {
  return page.evaluate("Object.keys(localStorage).filter((key) => key.includes('.draft.')).length")
}
