// @module-tag long

import { describe, expect, it } from 'vitest'
import { projectOwner } from '../../support/author-window.ts'
import { browserFound } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'

const guidance = guidanceService()

describe.runIf(browserFound)('The page of milestones', () => {
  const owner = projectOwner(guidance)

  it('lays out the process by the keyboard, freezes a milestone, and offers both parts of its pack', async () => {
    const { id, rules } = await owner().makeComponent({ rules: 2 })
    const visit = await owner().open(`/components/${id}/calendar`)
    const { page } = visit
    await page.getByText('This component has no milestones.').waitFor()
    await page.getByLabel('Day of the intent form').fill('2026-01-05')
    await page.getByRole('button', { name: 'Lay out' }).press('Enter')
    const list = page.getByRole('list', { name: 'Milestones' })
    await expect.poll(() => list.getByRole('listitem').count()).toBeGreaterThan(4)
    await expectSound(visit)
    await page.getByLabel('Name').fill('Demonstration')
    await page.getByLabel('Date', { exact: true }).fill('2026-02-01')
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
    const milestone = list.getByRole('listitem').filter({ hasText: 'Demonstration' })
    await milestone.getByText('due on 2026-02-01').waitFor()
    await milestone.getByRole('button', { name: /^Reached …/ }).press('Enter')
    await milestone.getByRole('button', { name: 'Freeze the component as it is now' }).press('Enter')
    await milestone.getByRole('link', { name: /^Changes and files/ }).press('Enter')
    await page.getByRole('heading', { name: 'Demonstration', level: 2 }).waitFor()
    await page.getByText('2 added, 0 removed, 0 changed, 0 unchanged.').waitFor()
    await expectNoTroubles(visit)
    for (const part of ['Public part', 'Restricted part']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: part }).press('Enter'),
      ])
      expect(download.suggestedFilename()).toMatch(/\.zip$/)
    }
    await owner().client.call('PUT', `/rules/${rules[0] ?? 0}`, { body: { rule: { title: 'Lids are locked.' } } })
    await list
      .getByRole('listitem')
      .first()
      .getByRole('button', { name: /^Reached …/ })
      .press('Enter')
    await page.getByRole('button', { name: 'Freeze the component as it is now' }).press('Enter')
    await list
      .getByRole('listitem')
      .first()
      .getByRole('link', { name: /^Changes and files/ })
      .press('Enter')
    await page.getByText(/1 changed/).waitFor()
    await milestone.getByRole('button', { name: /^Remove …/ }).press('Enter')
    await milestone.getByRole('button', { name: 'Remove it with everything that is frozen' }).press('Enter')
    await expect.poll(() => milestone.count()).toBe(0)
    expect(visit.troubles).toEqual([])
  })
})
