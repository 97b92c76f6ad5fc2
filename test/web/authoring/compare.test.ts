// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { createGood } from '../../guidance/authoring/components/scene.ts'
import { personsPageOpener } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound } from '../../support/browser.ts'
import { alter } from '../../support/guidance-records.ts'
import { guidanceService, type Person } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'

const HOSTILE = '<script>document.title="taken"</script>'

const guidance = guidanceService()

describe.runIf(browserFound)('The pages that compare components', () => {
  const openAs = personsPageOpener(guidance)
  let projectId = 0
  let vera: Person
  let made: MadeComponent
  let next = 0

  beforeAll(async () => {
    const ada = await guidance().person('Ada')
    vera = await guidance().person('Vera')
    const owner = await guidance().signIn(ada.email)
    projectId = await guidance().project(owner, { name: 'Penguins' })
    await guidance().member(projectId, vera, 'viewer')
    made = await makeComponent(guidance(), ada, { projectId, name: HOSTILE, rules: 300 })
    const component = { duplicate: true, id: made.id, version: 1, release: 2 }
    next = await createGood(owner, projectId, component)
    await alter(guidance(), async (writer) => {
      const rules = () => writer.updateTable('rules').where('component_id', '=', next)
      await rules().set({ vendor_comments: 'Not before.' }).execute()
      await rules()
        .set({ title: `Tea must be ${HOSTILE}.` })
        .where('number', '=', 7)
        .execute()
      await rules().set({ deleted_at: new Date().toISOString() }).where('number', '=', 9).execute()
    })
  })

  it('lead a viewer from the project to the changes since the last release, and render only visible ones', async () => {
    const visit = await openAs(vera, `/projects/${projectId}`)
    const { page } = visit
    await page.getByRole('link', { name: /^What changed in .* since V1R1$/ }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'what differs from V1R1' }).waitFor()
    await page.getByRole('link', { name: 'Changed 299' }).waitFor()
    expect(await page.locator('section[aria-label=Changes] li').count()).toBeLessThan(60)
    await expectSound(visit)
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('000299')
    await page.locator('section[aria-label=Changes] li').getByText('TEAP-00-000299').waitFor()
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('document.title')
    await page.getByText('1 of 300 changes').waitFor()
    await page.getByRole('heading', { name: HOSTILE, level: 2 }).waitFor()
    expect(await page.title()).toContain('what differs from V1R1')
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('')
    await page.getByRole('link', { name: 'Removed 1' }).click()
    const gone = page.getByRole('region', { name: 'Rule' }).getByRole('link', { name: 'TEAP-00-000009' })
    await gone.waitFor()
    expect(await gone.getAttribute('href')).toBe(`/components/${made.id}?rule=TEAP-00-000009`)
    expect(visit.troubles).toEqual([])
  })

  it('let people choose the other component, and report if there is none', async () => {
    const visit = await openAs(vera, `/components/${next}/compare`)
    const { page } = visit
    await page.getByLabel('Compared with').selectOption(String(made.id))
    await page.getByRole('link', { name: 'Swap' }).click()
    await page.getByRole('heading', { level: 1, name: 'what differs from V1R2' }).waitFor()
    await page.getByRole('link', { name: 'New 1' }).waitFor()
    const arrives = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    expect((await arrives).suggestedFilename()).toBe('TEAP-00-V1R2-TEAP-00-V1R1.csv')
    await page.goto(new URL(`/components/${next}/compare/999999`, page.url()).href)
    await page.getByText('could not be found').waitFor()
    await expectNoTroubles(visit, [`404 GET /api/components/${next}/diff`])
  })
})
