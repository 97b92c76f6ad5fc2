// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signedInPageOpener } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, fillInSignIn } from '../../support/browser.ts'
import { guidanceService, PASSWORD } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'

const guidance = guidanceService()
const IN_FIELD = '`${document.activeElement.id} of ${document.querySelector(".rule-bar h2").textContent}`'
/** Before anything is drawn; what is kept of it in the browser; and after it is drawn. */
const TYPED = "document.execCommand('insertText', false, '!')"
const KEPT =
  "JSON.parse(localStorage.getItem(Object.keys(localStorage).find((key) => key.includes('.draft.'))) ?? '{}').mine?.fixtext"
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))'
const COMPOSING =
  "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true }))"

describe.runIf(browserFound)('The editor', () => {
  const open = signedInPageOpener(guidance, 'ada@example.org')
  let made: MadeComponent

  beforeAll(async () => {
    const ada = await guidance().person('Ada')
    const vera = await guidance().person('Vera')
    const projectId = await guidance().project(await guidance().signIn(ada.email), { name: 'Kitchen' })
    await guidance().member(projectId, vera, 'viewer')
    await guidance().member(projectId, await guidance().person('Arthur'), 'author')
    made = await makeComponent(guidance(), ada, { projectId, name: 'Samovar', rules: 60 })
  })

  /** Somebody who comes to a page without having signed in, and does. */
  it('lists the rules by the filters of the address, and opens one', async () => {
    const visit = await open(`/components/${made.id}`)
    const { page } = visit
    await page.getByRole('heading', { name: 'Samovar V1R1', level: 1 }).waitFor()
    await page.getByText('60 rules').waitFor()
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
    await trail.getByRole('link', { name: 'Kitchen' }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('TEAP-00-000007')
    await page.getByText('1 of 60 rules').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?filter=TEAP-00-000007')
    await page
      .locator('main')
      .getByRole('link', { name: /000007/ })
      .click()
    await expect.poll(() => page.url()).toContain('rule=TEAP-00-000007')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await page.getByText('Text of the SRG. Choose a status to write.').first().waitFor()
    await page.getByLabel('Status', { exact: true }).last().selectOption('Applicable - Configurable')
    await page.getByRole('textbox', { name: 'Fix' }).waitFor()
    await page.getByText('More fields:').click()
    await page.locator('.cm-content').waitFor()
    await expectSound(visit)
  })

  it('keeps the side panels below the header at the end of the page', async () => {
    const { page } = await open(`/components/${made.id}?rule=TEAP-00-000003`)
    await page.setViewportSize({ width: 1440, height: 720 })
    await page.locator('#panel').waitFor()
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    const lowest = (await page.locator('.shell-header').boundingBox())?.height ?? 0
    expect(lowest).toBeGreaterThan(0)
    const beside = [
      ...(await page.getByRole('navigation', { name: 'Panels' }).getByRole('link').all()),
      page.getByRole('searchbox', { name: 'Filter by words' }),
    ]
    for (const control of beside)
      expect((await control.boundingBox())?.y, await control.innerText()).toBeGreaterThan(lowest)
  })

  it('keeps both texts when two people change a field, and loses neither', async () => {
    const path = `/components/${made.id}?rule=TEAP-00-000003`
    const rule = made.rules[2] ?? 0
    const [adas, arthurs] = [(await open(path)).page, (await open(path, 'arthur@example.org')).page]
    await adas.getByLabel('Status', { exact: true }).last().selectOption('Applicable - Configurable')
    await adas.getByText(/^Saved \d/).waitFor()
    await arthurs.getByRole('textbox', { name: 'Fix' }).waitFor()
    let letOtherSave: () => void = () => undefined
    const otherMaySave = new Promise<void>((resolve) => (letOtherSave = resolve))
    await arthurs.route('**/rules/*', async (route) => {
      if (route.request().method() === 'PUT') await otherMaySave
      await route.continue()
    })
    await arthurs.getByRole('textbox', { name: 'Fix' }).fill('Fill it.')
    await adas.getByRole('textbox', { name: 'Fix' }).fill('Empty it.')
    await adas.getByRole('textbox', { name: 'Check' }).fill('Look at it.')
    // A button would go away once it is saved by itself.
    await adas.keyboard.press('Control+s')
    await expect.poll(() => textOf(rule)).toBe('Empty it.')
    letOtherSave()
    const box = arthurs.getByRole('group', { name: 'Fix: two versions' })
    await box.waitFor()
    await expect.poll(() => arthurs.getByRole('textbox', { name: 'Check' }).inputValue()).toBe('Look at it.')
    expect(await arthurs.getByRole('textbox', { name: 'Fix' }).inputValue()).toBe('Fill it.')
    await arthurs.reload()
    await box.getByText('Empty').first().waitFor()
    expect(await arthurs.getByRole('textbox', { name: 'Fix' }).inputValue()).toBe('Fill it.')
    await arthurs.getByRole('textbox', { name: 'Fix' }).fill('Fill it. Then empty it.')
    await box.getByRole('button', { name: 'Keep what is written above' }).click()
    await expect.poll(() => adas.getByRole('textbox', { name: 'Fix' }).inputValue()).toBe('Fill it. Then empty it.')
    expect(await textOf(rule)).toBe('Fill it. Then empty it.')
  })

  it('keeps typed text without connection and through the end of a session', async () => {
    const visit = await open(`/components/${made.id}?rule=TEAP-00-000005`)
    const { page } = visit
    const fix = page.getByRole('textbox', { name: 'Fix' })
    await page.locator('#field-status').selectOption('Applicable - Configurable')
    await fix.waitFor()
    await page.context().setOffline(true)
    await fix.fill('Offline <b>text</b> \u202Etxet')
    await page.getByText('The service does not answer.').waitFor()
    await page.context().setOffline(false)
    await page.getByText(/^Saved \d/).waitFor()
    await page.context().clearCookies()
    await fix.fill('Typed without a session')
    await page.getByText('Your session has ended; it is kept in this browser.').waitFor()
    await page.locator('main').getByRole('link', { name: 'Sign in' }).first().click()
    await fillInSignIn(page, 'ada@example.org', PASSWORD)
    await page.getByText(/^Saved \d/).waitFor()
    expect(await fix.inputValue()).toBe('Typed without a session')
    expect(await textOf(made.rules[4] ?? 0)).toBe('Typed without a session')
  })

  it('keeps a letter typed into a long text if the page closes before it is drawn', async () => {
    const { page } = await open(`/components/${made.id}?rule=TEAP-00-000015`)
    const fix = page.getByRole('textbox', { name: 'Fix' })
    await page.locator('#field-status').selectOption('Applicable - Configurable')
    await fix.fill('Look at the lid. '.repeat(400))
    await page.getByText(/^Saved \d/).waitFor()
    await page.context().setOffline(true)
    await fix.press('Control+End')
    await fix.pressSequentially('one by one', { delay: 20 })
    expect(await fix.inputValue()).toMatch(/one by one$/)
    const gone = `${TYPED}; dispatchEvent(new Event('pagehide')); ${KEPT}`
    expect(await page.evaluate(gone)).toMatch(/one by one!$/)
    // Nor does it take longer where nothing says that the page goes.
    expect(await page.evaluate(`${TYPED}; ${DRAWN}.then(() => ${KEPT})`)).toMatch(/!!$/)
    await page.context().setOffline(false)
    await page.getByText(/^Saved \d/).waitFor()
    const loaded = page.waitForEvent('load')
    await page.evaluate(`${TYPED}; location.reload()`)
    await loaded
    await fix.waitFor()
    expect(await fix.inputValue()).toMatch(/one by one!!!$/)
  })

  it('shows everything read-only to a viewer, with the reason', async () => {
    const visit = await open(`/components/${made.id}?rule=TEAP-00-000003`, 'vera@example.org')
    const { page } = visit
    await page.getByText('You are a viewer here; authors write.').first().waitFor()
    expect(await page.getByRole('region', { name: 'Rule', exact: true }).getByRole('textbox').count()).toBe(0)
    await expectNoTroubles(visit)
  })

  it('tells non-members why they cannot open rules of a release, and requests no other', async () => {
    await guidance().person('Otto')
    const { database } = guidance().service.guidance
    const ada = await guidance().signIn('ada@example.org')
    const projectId = await guidance().project(ada, { name: 'Cellar' })
    const { id } = await makeComponent(guidance(), await guidance().person('Cleo'), { projectId })
    await database.transact((writer) =>
      writer.updateTable('components').set({ released: 1 }).where('id', '=', id).execute(),
    )
    // The document names the first answers of the page before it is known who may have them.
    const refused = [`403 GET /components/${id}/rules/named/TEAP-00-000001`]
    const visit = await open(`/components/${id}?rule=TEAP-00-000001`, 'otto@example.org')
    const { page } = visit
    await page.getByText('You are not a member here').waitFor()
    await page.locator('.rules').getByText('000002').first().waitFor()
    expect(await page.locator('.rules li a').count()).toBe(0)
    await page.keyboard.press('j')
    await expectNoTroubles(visit, refused)
    await page.getByRole('link', { name: 'the documents to download' }).click()
    await page.getByRole('heading', { name: 'Released' }).waitFor()
    expect(visit.troubles).toEqual(refused)
  })

  it('is used by keys, which can be changed', async () => {
    const visit = await open(`/components/${made.id}?rule=TEAP-00-000010`)
    const { page } = visit
    const status = page.locator('#field-status')
    await status.waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'TEAP-00-000011' }).waitFor()
    expect(page.url()).toContain('rule=TEAP-00-000011')
    await page.keyboard.press('s')
    await expect.poll(() => status.evaluate('document.activeElement.id')).toBe('field-status')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => page.url()).toContain('rule=TEAP-00-000010')
    // Focus stays in the same field; keys of an input method are no commands.
    await expect.poll(() => page.evaluate(IN_FIELD)).toBe('field-status of TEAP-00-000010')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => page.evaluate(IN_FIELD)).toBe('field-status of TEAP-00-000011')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => page.evaluate(IN_FIELD)).toBe('field-status of TEAP-00-000010')
    await page.evaluate(COMPOSING)
    expect(await page.evaluate(IN_FIELD)).toBe('field-status of TEAP-00-000010')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    await page.getByRole('button', { name: 'Another key for: Next rule' }).click()
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('x')
    await expect.poll(() => page.url()).toContain('rule=TEAP-00-000011')
    await page.keyboard.press('Control+Enter')
    const note = page.locator('#review-note')
    await note.fill('Please look')
    await page.getByRole('button', { name: 'Request review', exact: true }).click()
    await page.getByText('The rule is under review').first().waitFor()
    await expectSound(visit)
  })

  it('changes many rules at once after a preview, and undoes it', async () => {
    const visit = await open(`/components/${made.id}?tool=bulk&filter=TEAP-00-00002`)
    const { page } = visit
    // Nobody goes through all rows to what is done with them.
    await page.getByRole('button', { name: 'Skip to the rule' }).press('Enter')
    await page.locator('section:focus[aria-label="Rule"]').waitFor()
    await page.getByRole('button', { name: 'Choose all shown' }).click()
    await page.getByRole('heading', { name: 'Change 10 rules' }).waitFor()
    await page.locator('.one').getByLabel('Status').first().selectOption('Not Applicable')
    await page.getByText('Not Yet Determined → Not Applicable').first().waitFor()
    await page.getByRole('button', { name: 'Change 10 rules' }).click()
    await page.getByText('10 rules changed.').waitFor()
    await page.locator('.rules').getByText('Not applicable', { exact: true }).first().waitFor()
    await expectSound(visit)
    // It can be taken back after a look at the rules, too.
    await page.getByRole('link', { name: 'Back to the rules' }).click()
    await page.getByRole('link', { name: 'Edit several' }).click()
    await page.getByRole('button', { name: 'Undo the last change' }).click()
    await page.getByText('Undone.').waitFor()
    await page.locator('.rules').getByText('Not yet determined', { exact: true }).first().waitFor()
  })

  async function textOf(rule: number): Promise<unknown> {
    const client = await guidance().signIn('vera@example.org')
    const { body } = await client.call('GET', `/rules/${rule}`)
    return z.looseObject({ fixtext: z.string().nullable() }).parse(body).fixtext
  }
})
