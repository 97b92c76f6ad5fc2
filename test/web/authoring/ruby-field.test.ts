// @module-tag long

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openSignedIn } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser, type Visit } from '../../support/browser.ts'
import { setRows } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'

const guidance = guidanceService()
const NAME = 'InSpec control body'
const CODE = "describe file('/etc/pot') do # שלום\n  its('mode') { should cmp 10 / 2 }\nend"
const IN_FIELD = '`${document.activeElement.id} of ${document.querySelector(".rule-bar h2").textContent}`'
const FIELD = 'field-inspec_control_body'
/** The colours of letters, without the colour of the text. */
const COLOURS = `new Set([...document.querySelector('.code-editor').shadowRoot.querySelectorAll('.cm-line span')].map((one) => getComputedStyle(one).color)).size`
const PASTED = `(() => {
  const field = document.querySelector('.code-editor').shadowRoot.querySelector('.cm-content')
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', 'a\\r\\n\\u202Eb')
  field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
})()`

describe.runIf(browserFound)('The field for InSpec', () => {
  const surf = chromiumBrowser()
  let made: MadeComponent

  beforeAll(async () => {
    const ada = await guidance().signUp('Ada')
    const projectId = await guidance().project(ada, { name: 'Kitchen' })
    await guidance().member(projectId, await guidance().person('Arthur'), 'author')
    made = await makeComponent(guidance(), ada, { projectId, name: 'Samovar', rules: 6 })
    await setRows(guidance(), 'rules', { status: 'Applicable - Configurable' }, { component_id: made.id })
  })

  async function open(number: number, name = 'ada'): Promise<Visit> {
    const path = `/components/${made.id}?rule=TEAP-00-00000${number}`
    return openSignedIn(await surf(guidance().service.baseUrl), `${name}@example.org`, path)
  }

  async function field(page: Page) {
    await page.locator('details.fields').waitFor()
    if (await page.locator('details.fields:not([open])').isVisible()) await page.getByText('More fields:').click()
    await page.locator('.cm-content').waitFor()
    return page.getByRole('textbox', { name: NAME })
  }

  const shown = (page: Page): Promise<string> => page.locator('.cm-content').innerText()

  async function stored(number: number): Promise<unknown> {
    const client = await guidance().signIn('ada@example.org')
    const { body } = await client.call('GET', `/rules/${made.rules[number - 1]}`)
    return z.looseObject({ inspec_control_body: z.string().nullable() }).parse(body).inspec_control_body
  }

  it('saves code with its colours, and shows the control with them', async () => {
    const visit = await open(1)
    const { page } = visit
    await (await field(page)).fill(CODE)
    await page.getByText(/^Saved \d/).waitFor()
    expect(await stored(1)).toBe(CODE)
    expect(await page.evaluate(COLOURS)).toBeGreaterThanOrEqual(3)
    await expectSound(visit)
    await page.goto(`${page.url()}&panel=inspec`)
    await page.locator('#panel .code-comment').getByText('# שלום').waitFor()
    expect(await page.locator('#panel pre').innerText()).toContain(CODE.split('\n')[1])
    await expectNoTroubles(visit)
  })

  it('is a text area where the editor cannot be loaded, and while it is not', async () => {
    const { page } = await open(2)
    await field(page)
    await page.route(/ruby-editor/, (route) => route.abort())
    await page.reload()
    const area = page.locator(`textarea#${FIELD}`)
    await area.fill('end')
    await page.getByText(/^Saved \d/).waitFor()
    expect(await stored(2)).toBe('end')
    await page.unroute(/ruby-editor/)
    let send: () => void = () => undefined
    const sent = new Promise<void>((resolve) => (send = resolve))
    await page.route(/ruby-editor/, async (route) => {
      await sent
      await route.continue()
    })
    await page.reload()
    // The page is hidden until its first answers are there, and nothing hidden takes the focus.
    await area.waitFor()
    await area.focus()
    await area.press('Control+Home')
    await page.keyboard.type('x')
    send()
    await page.locator('.cm-content:focus').waitFor()
    await page.keyboard.type('y')
    expect(await shown(page)).toBe('xyend')
  })

  it('leaves the keys of the form and the tab key to the page', async () => {
    const { page } = await open(3)
    await (await field(page)).click()
    await page.keyboard.type('a')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => page.evaluate(IN_FIELD)).toBe(`${FIELD} of TEAP-00-000004`)
    await page.locator('.cm-content:focus').waitFor()
    // The text of another rule cannot be undone into this one.
    await page.keyboard.type('b')
    for (const _ of 'ab') await page.keyboard.press('Control+z')
    expect((await shown(page)).trim()).toBe('')
    await page.keyboard.press('Control+ArrowUp')
    expect(await page.evaluate(IN_FIELD)).not.toContain(FIELD)
    await page.keyboard.press('Control+ArrowDown')
    expect(await page.evaluate(IN_FIELD)).toContain(FIELD)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(IN_FIELD)).toContain(FIELD)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(IN_FIELD)).not.toContain(FIELD)
    await page.getByText(NAME, { exact: true }).click()
    expect(await page.evaluate(IN_FIELD)).toContain(FIELD)
    await page.keyboard.press('Escape')
    expect(await page.evaluate(IN_FIELD)).not.toContain(FIELD)
  })

  it('shows what another author wrote, and decides between both texts', async () => {
    const [adas, arthurs] = [(await open(5)).page, (await open(5, 'arthur')).page]
    await field(adas)
    await (await field(arthurs)).fill('theirs')
    await expect.poll(() => shown(adas)).toBe('theirs')
    await adas.context().setOffline(true)
    for (const [page, text] of [
      [adas, 'mine'],
      [arthurs, 'theirs again'],
    ] as const) {
      await (await field(page)).press('Control+a')
      await page.keyboard.type(text)
    }
    await arthurs.getByText(/^Saved \d/).waitFor()
    await adas.context().setOffline(false)
    const box = adas.getByRole('group', { name: `${NAME}: two versions` })
    await box.getByRole('button', { name: /^Take/ }).click()
    await expect.poll(() => shown(adas)).toBe('theirs again')
    expect(await adas.evaluate(IN_FIELD)).toContain(FIELD)
  })

  it('reports errors in its text, and accepts any text', async () => {
    const visit = await open(6)
    const { page } = visit
    const code = await field(page)
    await code.click()
    await page.evaluate(PASTED)
    await expect.poll(() => stored(6)).toBe('a\n\u202Eb')
    await code.press('Control+a')
    await page.keyboard.insertText('W'.repeat(50_001))
    await page.getByText('characters too long, and not saved so').first().waitFor()
    expect(await code.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.code-editor #notes').textContent()).toContain('too long')
    // The page reports the error before it has the answer.
    await expect.poll(() => visit.troubles).toEqual(['422 PUT /rules/6'])
    await expectNoTroubles(visit, ['422 PUT /rules/6'])
  })
})
