// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { openSignedIn } from '../../support/author-window.ts'
import { BROWSERS, fillInSignIn, type Visit } from '../../support/browser.ts'
import { guidanceService, PASSWORD } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { STARTER } from '../../support/service.ts'
import { COMPONENT_RULES, ROOT_LOGIN, teapotScene, type TeapotScene } from '../../support/teapot-scene.ts'
import { pointer } from '../walk/input-device.ts'

const guidance = guidanceService({}, undefined, STARTER)
const scene = teapotScene(guidance)

const QUERY = `PREFIX d3f: <http://d3fend.mitre.org/ontologies/d3fend.owl#>
SELECT ?technique ?id WHERE { ?technique d3f:d3fend-id ?id } ORDER BY ?id`

/** Each browser has a rule and a comment of its own, because each can be written and answered only once. */
const OF_BROWSER: Readonly<Record<string, { readonly written: number; readonly comment: RegExp }>> = {
  Chromium: { written: 3, comment: /Which settings/ },
  Firefox: { written: 4, comment: /The check needs/ },
}

describe.each(BROWSERS.filter(({ isInstalled }) => isInstalled))('In $name, somebody new', ({ name, surfers }) => {
  const surf = surfers()
  const browserCase = OF_BROWSER[name] ?? expect.fail(name)

  beforeAll(() => guidance().service.guidance.search.prepare(Promise.resolve()))

  async function open(path: string): Promise<Visit> {
    return (await surf(guidance().service.baseUrl)).open(path)
  }

  async function openAs(who: keyof TeapotScene['people'], path: string): Promise<Visit> {
    return openSignedIn(await surf(guidance().service.baseUrl), scene().people[who].email, path)
  }

  function idOf(index: number): string {
    return `PNGN-01-${String(index + 1).padStart(6, '0')}`
  }

  it('finds the rule about root login over SSH in a STIG', async () => {
    const visit = await open('/')
    const { page } = visit
    const input = pointer(page)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectNoTroubles(visit)
    await input.press(page.getByRole('link', { name: 'Guidance', exact: true }).first())
    // The start page links the same release, and stays until the next page is there.
    await page.waitForURL(/\/guidance$/)
    await input.press(page.locator('main').getByRole('link', { name: /^Samovar 9/ }))
    await input.write(page.getByRole('searchbox', { name: 'Filter by words' }), 'root ssh')
    await input.press(page.locator('section[aria-label=Rules] li').getByRole('link'))
    await page.getByRole('heading', { name: ROOT_LOGIN.title, level: 2 }).waitFor()
    await page.locator('main').getByText('PermitRootLogin no').first().waitFor()
    await expectSound(visit)
  })

  it('finds by keyboard alone what counters an attack, and which rules apply', async () => {
    const visit = await open('/')
    const { page } = visit
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('T1110.001')
    const option = page.getByRole('option', { name: /Password Guessing/ })
    await option.waitFor()
    while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Password Guessing', level: 1 }).waitFor()
    await page
      .getByRole('region', { name: /^Techniques that counter/ })
      .getByRole('link')
      .first()
      .waitFor()
    await page.getByRole('region', { name: 'Rules that apply' }).getByRole('link').first().waitFor()
    await expectNoTroubles(visit)
  })

  it('reads the control of a CCI, and its text', async () => {
    const visit = await open('/search?q=CCI-000044')
    const { page } = visit
    const card = page.getByRole('region', { name: 'Best match' })
    await expectNoTroubles(visit)
    await card
      .getByRole('link', { name: /CCI-000044/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'CCI-000044', level: 1 }).waitFor()
    await page
      .locator('main')
      .getByText(/^Enforce a limit/)
      .first()
      .waitFor()
    const revisions = page.getByRole('region', { name: 'Controls by revision' })
    await revisions.getByRole('link', { name: 'AC-7 a' }).first().waitFor()
    await expectNoTroubles(visit)
  })

  it('sees what a newer release changed', async () => {
    const visit = await open('/benchmarks/Samovar_9_STIG/V1R2')
    const { page } = visit
    await page.getByRole('link', { name: 'Compare releases' }).click()
    await page.getByRole('link', { name: 'Changed 1' }).click()
    await page.locator('.command .added', { hasText: 'deny = 3' }).waitFor()
    await expectNoTroubles(visit)
  })

  it('filters the matrix, and sees it dark', async () => {
    const visit = await open('/matrix')
    const { page } = visit
    await page.getByLabel('Filter techniques').fill('file hashing')
    const cell = (technique: string) =>
      page.locator('.cell', { has: page.getByRole('link', { name: technique, exact: true }) }).first()
    await expect.poll(() => cell('File Hashing').getAttribute('class')).toContain('found')
    expect(await cell('Dynamic Analysis').getAttribute('class')).toContain('dim')
    await expect.poll(() => new URL(page.url()).search).toBe('?filter=file+hashing')
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByLabel('dark').check()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.keyboard.press('Escape')
    await expectNoTroubles(visit)
  })

  it('runs a query of the visitor, and sorts the results', async () => {
    const visit = await open('/sparql')
    const { page } = visit
    const field = page.getByRole('textbox', { name: 'Query' })
    await field.click()
    await field.press('Control+a')
    await page.keyboard.insertText(QUERY)
    await field.press('Control+Enter')
    await page.getByRole('heading', { name: /^\d+ rows$/ }).waitFor()
    const column = page.getByRole('columnheader', { name: 'id' })
    await column.getByRole('button').click()
    await column.getByRole('button').click()
    expect(await column.getAttribute('aria-sort')).toBe('descending')
    await expectNoTroubles(visit)
  })

  it('signs in, writes a rule, and decides where somebody else wrote another text', async () => {
    const { component, people } = scene()
    const path = `/components/${component}?rule=${idOf(browserCase.written)}`
    const visit = await open(`/users/sign_in?return_to=${encodeURIComponent(path)}`)
    const { page } = visit
    await fillInSignIn(page, people.author.email, PASSWORD)
    const fix = page.getByRole('textbox', { name: 'Fix' })
    await fix.fill('Oil the feathers daily.')
    await page.keyboard.press('Control+s')
    await page.getByText(/^Saved \d/).waitFor()
    const other = (await openAs('root', path)).page
    await other.getByRole('textbox', { name: 'Fix' }).waitFor()
    await fix.fill('Oil the feathers weekly.')
    await other.getByRole('textbox', { name: 'Fix' }).fill('Oil the feathers twice.')
    await other.keyboard.press('Control+s')
    const box = page.getByRole('group', { name: 'Fix: two versions' })
    await box.waitFor()
    // The other text is learnt from the event, or from the refusal of a save that was sent before the event came.
    await expectSound({ page, troubles: [] })
    expect(visit.troubles.filter((trouble) => !/^409 PUT \/rules\/\d+$/.test(trouble))).toEqual([])
    await box.getByRole('button', { name: 'Keep what is written above' }).click()
    await expect.poll(() => other.getByRole('textbox', { name: 'Fix' }).inputValue()).toBe('Oil the feathers weekly.')
  })

  it('approves a rule', async () => {
    const visit = await openAs('reviewer', '/home')
    const { page } = visit
    await expectNoTroubles(visit)
    await page.getByRole('link', { name: /to review in Penguin OS 1/ }).click()
    // The page before says as well how many rules there are.
    await page
      .getByRole('region', { name: 'Rules' })
      .getByText(new RegExp(`of ${COMPONENT_RULES} rules`))
      .waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: /^PNGN/ }).waitFor()
    await page.keyboard.press('l')
    await page.locator('#review-note').fill('Fine.')
    await page.getByRole('button', { name: 'Approve and lock' }).click()
    await page.getByText('The rule is locked.').waitFor()
    await expectNoTroubles(visit)
  })

  it('answers a comment', async () => {
    const visit = await openAs('author', `/components/${scene().component}/triage?view=split`)
    const { page } = visit
    await page.getByRole('link', { name: browserCase.comment }).first().click()
    await page.getByRole('region', { name: 'Comment and decision' }).getByText(browserCase.comment).waitFor()
    await page.getByRole('radio', { name: 'Accept concur', exact: true }).check()
    await page.getByLabel('Response (optional)').fill('Thank you.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('1 comment decided: Accept.').waitFor()
    await expectNoTroubles(visit)
  })
})
