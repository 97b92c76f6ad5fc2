// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import {
  countOf,
  fieldsIn,
  kindsIn,
  matching,
  ofKind,
  placeIn,
  placeOf,
} from '../../../src/web/application/advice/grouping.ts'
import { openSignedIn } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser, type Visit } from '../../support/browser.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'

const HOSTILE = '<img src=x onerror="document.title=1">'
const SELECTED =
  'document.activeElement.value?.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)'

const finding = (code: string, field: string, quote: string) => ({
  code,
  field,
  quote,
  check_id: null,
  start: 3,
  end: 5,
  message: 'Write it otherwise.',
  suggestion: null,
})
const RULES = [
  {
    id: 1,
    displayed_name: 'T-1',
    findings: [finding('fix_word', 'fixtext', 'should'), finding('title_must', 'title', 'Tea.')],
  },
  { id: 2, displayed_name: 'T-2', findings: [finding('fix_word', 'fixtext', 'please')] },
  { id: 3, displayed_name: 'T-3', findings: [] },
]

describe('Findings of a component', () => {
  it('are counted by kind, as its filter finds them', () => {
    const rows = matching(RULES, { q: '', field: '' })
    expect(kindsIn(rows)).toMatchObject([
      { code: 'fix_word', findings: 2, rules: 2 },
      { code: 'title_must', findings: 1, rules: 1 },
    ])
    expect(countOf(ofKind(rows, 'fix_word'))).toBe(2)
    expect(ofKind(rows, 'nonsense')).toEqual([])
    expect(fieldsIn(RULES)).toEqual(['fixtext', 'title'])
  })

  it('are filtered by words, the name of a rule and a field', () => {
    expect(matching(RULES, { q: 'PLEASE otherwise', field: '' })).toEqual([RULES[1]])
    expect(countOf(matching(RULES, { q: 't-1', field: '' }))).toBe(2)
    expect(countOf(matching(RULES, { q: '', field: 'title' }))).toBe(1)
  })

  it('have filters that the address accepts, and no others', () => {
    const range = { field: 'check_content', check_id: 7, start: 3, end: 5 }
    expect(placeIn(placeOf(range))).toMatchObject({ field: 'check_content', checkId: 7, end: 5 })
    expect(placeIn('title..0.4')).toMatchObject({ checkId: null, start: 0 })
    for (const odd of ['', 'title', 'title..4', '#a b..1.2', 'title..1.99999999']) expect(placeIn(odd)).toBe(null)
  })
})

const guidance = guidanceService()

describe.runIf(browserFound)('The page of the advice on a component', () => {
  const surf = chromiumBrowser()
  let made: MadeComponent

  beforeAll(async () => {
    const ada = await guidance().signUp('Ada')
    const projectId = await guidance().project(ada)
    await guidance().member(projectId, await guidance().person('Vera'), 'viewer')
    made = await makeComponent(guidance(), ada, { projectId, rules: 3 })
    await alter(guidance(), async (writer) => {
      const rules = writer.updateTable('rules').where('component_id', '=', made.id)
      await rules
        .set({
          status: 'Applicable - Configurable',
          rule_severity: 'medium',
          title: 'The pot must pour tea.',
          fixtext: 'Set the lid.',
          vuln_discussion: 'Attackers drink it.',
        })
        .execute()
      await rules
        .set({ vuln_discussion: `Attackers.\r\nPour ${HOSTILE} “tea”.` })
        .where('id', '=', made.rules[1] ?? 0)
        .execute()
      await rules
        .set({ title: 'The pot should pour tea.' })
        .where('id', '=', made.rules[2] ?? 0)
        .execute()
    })
  })

  async function open(name: string, path: string): Promise<Visit> {
    return openSignedIn(await surf(guidance().service.baseUrl), `${name}@example.org`, path)
  }

  it('leads from a kind to the rule and the words, and turns it off there', async () => {
    const visit = await open('ada', `/components/${made.id}/advice`)
    const { page } = visit
    const kinds = page.getByRole('table').first()
    const quotes = kinds.getByRole('row', { name: /quotation marks/ })
    await quotes.waitFor()
    expect((await quotes.getByRole('cell').allTextContents()).slice(1)).toEqual(['2', '1'])
    await quotes.getByRole('link').press('Enter')
    await page.getByRole('heading', { name: /quotation marks/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('kind')).toBe('plain_quotes')
    const rule = page.getByRole('region', { name: 'TEAP-00-000002' })
    expect(await rule.getByRole('listitem').count()).toBe(2)
    await page.getByRole('searchbox').fill('nothing like that')
    await page.getByText('0 remarks on 0 of 3 rules').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expectSound(visit)
    await rule.getByRole('link', { name: 'Discussion' }).last().click()
    await page.getByRole('textbox', { name: 'Discussion' }).waitFor()
    await expect.poll(() => page.evaluate(SELECTED)).toBe('”')
    expect(page.url()).not.toContain('place')
    await page.goBack()
    await rule.getByText('Off for this rule').click()
    await rule.getByRole('textbox', { name: /Why it is fine/ }).fill(HOSTILE)
    await rule.getByRole('button', { name: 'Turn off' }).click()
    const off = page.getByRole('region', { name: 'Advice that is off' })
    await off.getByText(HOSTILE).waitFor()
    expect(await rule.count()).toBe(0)
    await expectNoTroubles(visit)
    await off.getByRole('button', { name: /On again/ }).click()
    await rule.waitFor()
    expect(visit.troubles).toEqual([])
  })

  it('lets a viewer read, and the list of rules show those with a kind of advice', async () => {
    const visit = await open('vera', `/components/${made.id}/advice?kind=title_should`)
    const { page } = visit
    await page.getByRole('region', { name: 'TEAP-00-000003' }).getByText('Write "must"').waitFor()
    expect(await page.getByText('Off for this rule').count()).toBe(0)
    await page.getByRole('link', { name: /^Rules \d/ }).click()
    const words = await page.getByRole('searchbox', { name: 'Filter by words' }).boundingBox()
    const filters = page.getByTitle('Filter and order')
    expect((await filters.boundingBox())?.y).toBe(words?.y)
    await filters.click()
    await page.getByRole('combobox', { name: 'Suggestions' }).selectOption('title_should')
    await page.getByText('1 of 3 rules').waitFor()
    expect(new URL(page.url()).searchParams.get('advice')).toBe('title_should')
    await page.getByRole('link', { name: /\d suggestion/ }).waitFor()
    await page.reload()
    await page.getByText('1 of 3 rules').waitFor()
    await expectNoTroubles(visit)
  })
})
