// @module-tag long

import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openAs } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { setRows } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'
import { placeComment } from '../../support/samples/reviews.ts'

const guidance = guidanceService()

const ADA = 'ada@example.org'
/** Scripts and markup, an order of letters that lies, marks without a letter, and a word as long as a field. */
const HOSTILE = [
  '"><script>document.title="pwned"</script><img src=x onerror="document.title=\'pwned\'">',
  '{{ constructor.constructor("document.title=1")() }} javascript:alert(1) \u202Eback to front\u202C',
  'שלום \u2066مرحبا\u2069 e\u0301\u0302\u0303 \u200B\u{1F469}\u200D\u{1F680} \u0085\u007F',
].join(' ')
const SIDEWAYS = 'document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth'

const formAnswer = z.object({
  fields: z.array(z.looseObject({ name: z.string(), kind: z.string(), within: z.string(), limit: z.int() })),
})
const withChecks = z.object({ checks_attributes: z.array(z.object({ id: z.int() })) })
type Field = z.infer<typeof formAnswer>['fields'][number]

describe.runIf(browserFound)('Hostile texts in the editor', () => {
  const surf = chromiumBrowser()
  let made: MadeComponent
  let fields: readonly Field[]

  beforeAll(async () => {
    const ada = await guidance().signUp('Ada')
    const projectId = await guidance().project(ada, { name: HOSTILE.slice(0, 200) })
    made = await makeComponent(guidance(), ada, { projectId, name: HOSTILE.slice(0, 200), rules: 3 })
    await setRows(guidance(), 'components', { advanced_fields: 1 }, { id: made.id })
    const { body } = await ada.call('GET', `/api/components/${made.id}/form`)
    fields = formAnswer.parse(body).fields.filter(isForTexts)
    const [rule = 0] = made.rules
    const { body: before } = await ada.call('GET', `/rules/${rule}`)
    const written = { ...bodyOf(fields, before), status: 'Applicable - Configurable' }
    const answer = await ada.call('PUT', `/rules/${rule}`, { body: { rule: written } })
    expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).toBe(200)
    await placeComment(guidance(), ada, { component_id: made.id, rule_id: rule, comment: HOSTILE })
  })

  async function open(query: string): Promise<Page> {
    const surfer = await surf(guidance().service.baseUrl)
    return openAs(surfer, ADA, `/components/${made.id}?rule=TEAP-00-000001${query}`)
  }

  it('are shown as text in the list, in every field, and in every panel', async () => {
    const page = await open('')
    await textsOf(page).nth(1).waitFor()
    const title = HOSTILE.slice(0, 100)
    await page.locator('.rules .title').getByText(title, { exact: false }).waitFor()
    let seen = 0
    for (const { name, limit } of fields) {
      const field = page.locator(`[id="field-${name}"]`)
      if ((await field.count()) === 0) continue
      seen += 1
      const text = await textIn(field)
      // Lists of identifiers are put in order, word by word.
      expect(text, name).toContain(textFor(limit).split(' ')[0])
    }
    expect(seen).toBeGreaterThanOrEqual(19)
    for (const panel of ['advice', 'review', 'comments', 'history', 'satisfies', 'inspec']) {
      await page.locator('aside nav a').nth(0).waitFor()
      await page.goto(`${page.url().replace(/&panel=\w+/, '')}&panel=${panel}`)
      await page.locator('#panel').waitFor()
      await page.locator('#panel [aria-busy=true]').first().waitFor({ state: 'detached' })
      await expectText(page)
    }
  })

  it('are stored as they are typed, as is a word as long as a field', async () => {
    const page = await open('')
    const fix = textsOf(page).nth(1)
    const long = 'W'.repeat(30_000)
    await fix.fill(long)
    await page.getByText('characters too long, and not saved so').waitFor()
    await expectText(page)
    await page.reload()
    await expect.poll(() => fix.inputValue()).toBe(long)
    await fix.fill(HOSTILE)
    await page.getByText(/^Saved \d/).waitFor()
    await page.reload()
    await fix.waitFor()
    expect(await fix.inputValue()).toBe(HOSTILE)
    await expectText(page)
  })
})

/** A weight is a number. */
function isForTexts({ name, kind }: Field): boolean {
  return ['text', 'required'].includes(kind) && name !== 'rule_weight'
}

/** CodeMirror puts the cursor beside such an image. */
const OWN_IMAGES = '.cm-widgetBuffer'

/** The text of a field, of an editor of code as well. */
async function textIn(field: Locator): Promise<string | null> {
  const code = field.locator('.cm-content')
  if ((await code.count()) === 1) return code.textContent()
  return field.inputValue().catch(() => field.textContent())
}

/** The fields of the rule that take several lines. */
function textsOf(page: Page): Locator {
  return page.locator('article.rule textarea')
}

/** Nothing of it runs, becomes an element, or makes the page wider, however narrow that is. */
async function expectText(page: Page): Promise<void> {
  expect(await page.title()).toMatch(/ – Parapet$/)
  expect(await page.locator(`main img:not(${OWN_IMAGES}), main script, main iframe`).count()).toBe(0)
  const before = page.viewportSize()
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 720 })
    expect(await page.evaluate(SIDEWAYS), `sideways at ${width}`).toBe(0)
  }
  if (before !== null) await page.setViewportSize(before)
}

/** With a word of half a field; where a field is short, as much as it takes. */
function textFor(limit: number): string {
  return limit >= 1000 ? `${HOSTILE} ${'W'.repeat(limit / 2)}` : HOSTILE.slice(0, limit)
}

function bodyOf(fields: readonly Field[], before: unknown): object {
  const [check] = withChecks.parse(before).checks_attributes
  const within = (home: string): Readonly<Record<string, string>> =>
    Object.fromEntries(fields.filter((field) => field.within === home).map(({ name, limit }) => [name, textFor(limit)]))
  return {
    ...within('rule'),
    disa_rule_descriptions_attributes: [within('description')],
    checks_attributes: [{ ...check, ...within('check') }],
  }
}
