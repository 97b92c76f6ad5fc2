// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { personsPageOpener } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound } from '../../support/browser.ts'
import { store } from '../../support/catalogue.ts'
import { guidanceService, type Person } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import type { SampleRule } from '../../support/xccdf-document.ts'

/** The session storage of the window, as text. */
const KEPT = 'JSON.stringify(sessionStorage)'
const HOSTILE = '<script>document.title="taken"</script>'

function requirement(number: number, title: string): SampleRule {
  const id = `SV-${number}r1_rule`
  return { id, group: `V-${number}`, version: `SRG-TEA-00000${number}`, title }
}

const guidance = guidanceService()

describe.runIf(browserFound)('The page that bases a component on a newer SRG', () => {
  const openAs = personsPageOpener(guidance)
  let ada: Person
  let vera: Person
  let made: MadeComponent

  beforeAll(async () => {
    ada = await guidance().person('Ada')
    vera = await guidance().person('Vera')
    const owner = await guidance().signIn(ada.email)
    const projectId = await guidance().project(owner, { name: 'Penguins' })
    await guidance().member(projectId, vera, 'author')
    const line = { id: 'Tea_SRG', kind: 'srg' } as const
    const srgId = await store(guidance(), {
      ...line,
      version: '1',
      rules: [1, 2, 3, 5].map((number) => requirement(number, 'Old')),
    })
    await store(guidance(), {
      ...line,
      version: '2',
      rules: [requirement(1, `New ${HOSTILE}`), requirement(2, 'Other'), requirement(4, 'Come'), requirement(5, 'Old')],
    })
    made = await makeComponent(guidance(), ada, { projectId, name: HOSTILE, srgId })
    await owner.call('PUT', `/rules/${made.rules[3]}`, { body: { rule: { title: 'Written here' } } })
  })

  it('shows an author the preview, and names the people who can make the copy', async () => {
    const visit = await openAs(vera, `/components/${made.id}/rebase`)
    const { page } = visit
    await page.getByText('Administrators of the project make the copy.').waitFor()
    await page.getByText(`New ${HOSTILE}`).first().waitFor()
    expect(await page.getByRole('button', { name: /^Make|^All shown/ }).count()).toBe(0)
    expect(await page.getByRole('radio').first().isDisabled()).toBe(true)
    await expectNoTroubles(visit)
    await page.getByText('1 rule with other texts than the SRG').waitFor()
    expect(await page.getByRole('group', { name: 'TEAP-00-000004' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Show them' }).press('Enter')
    const written = page.getByRole('group', { name: 'What happens with TEAP-00-000004' })
    await written.getByLabel('Keep what the rule says').and(page.locator(':checked')).waitFor()
  })

  it('decides by the keyboard, keeps the decisions over a reload, and makes only confirmed changes', async () => {
    const visit = await openAs(ada, `/components/${made.id}/rebase`)
    const { page } = visit
    const first = page.getByRole('group', { name: 'What happens with TEAP-00-000001' })
    await first.getByLabel('Take the texts of the SRG').focus()
    await page.keyboard.press('ArrowRight')
    await first.getByLabel('Keep what the rule says').and(page.locator(':checked')).waitFor()
    await page.reload()
    await first.getByLabel('Keep what the rule says').and(page.locator(':checked')).waitFor()
    await expect.poll(() => page.evaluate(KEPT)).toContain(`form.${ada.id}./components/${made.id}`)
    await page.getByRole('link', { name: '1 + new in the SRG' }).click()
    await page.getByText('1 shown').waitFor()
    await page.getByRole('button', { name: 'All shown: leave them as they are' }).click()
    await page.getByText('1: is left out').waitFor()
    await expectSound(visit)
    const make = page.getByRole('button', { name: /^Make the copy on/ })
    let asked = ''
    page.once('dialog', (dialog) => {
      asked = dialog.message()
      void dialog.dismiss()
    })
    await make.click()
    await expect.poll(() => asked).toContain('2: keeps its texts; 1: takes the texts of the SRG')
    await page.getByLabel('Prefix').fill('TEAP-1')
    expect(await page.getByRole('heading', { name: 'What was done' }).count()).toBe(0)
    await page.getByLabel('Prefix').fill('TEAP-02')
    page.once('dialog', (dialog) => void dialog.accept())
    await make.click()
    await page.getByRole('heading', { name: 'What was done' }).waitFor()
    await expectNoTroubles(visit)
    await page.reload()
    await page.getByRole('link', { name: 'TEAP-02-000002' }).waitFor()
    await page.getByRole('link', { name: 'All differences, word by word' }).click()
    await page.getByRole('link', { name: 'Removed 1' }).waitFor()
    await page.getByRole('link', { name: 'Changed 1' }).waitFor()
    await page.getByRole('link', { name: 'New 0' }).waitFor()
    expect(await page.evaluate(KEPT)).toContain('TEAP-02-000002')
    await page.goto(`${guidance().service.baseUrl}/account`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/users/sign_in')
    expect(await page.evaluate(KEPT)).not.toMatch(/TEAP|rule/)
    expect(visit.troubles).toEqual([])
  })

  it('reports an unknown SRG', async () => {
    const visit = await openAs(ada, `/components/${made.id}/rebase?srg=999999`)
    await visit.page.getByText('could not be found').waitFor()
    await expectNoTroubles(visit, [`404 GET /api/components/${made.id}/rebase`])
  })
})
