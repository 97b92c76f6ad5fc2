import { expect } from 'vitest'
import type { Player } from '../cast.ts'
import { tab, type Story } from './begin.ts'
import { rule } from './write.ts'

/** Locks what is complete, and follows readiness to what is not. */
export async function finish({ page, input, asked }: Player, story: Story): Promise<void> {
  await input.press(page.getByRole('button', { name: /^Account:/ }))
  const menu = page.getByRole('navigation', { name: 'Account', exact: true })
  await input.press(menu.getByRole('link', { name: 'Projects' }))
  // The page before has a link of this name as well.
  await page.waitForURL('**/projects')
  await input.press(page.getByRole('link', { name: story.project, exact: true }))
  await input.press(page.getByRole('link', { name: story.component, exact: true }))
  await input.press(tab(page, 'Readiness'))
  await input.press(page.getByRole('button', { name: 'Lock all that are complete' }))
  await page.getByText('One thing prevents a release.').waitFor()
  expect(asked.at(-1)).toMatch(/^Lock all of the \d+ rules/)
  const lacking = page.getByRole('region', { name: 'No mitigation is described.' })
  await input.press(lacking.getByRole('link', { name: `${story.prefix}-000003` }))
  const status = rule(page).getByRole('combobox', { name: 'Status', exact: true })
  await status.waitFor()
  await input.choose(status, 'Applicable - Does Not Meet', { key: 's' })
  await input.press(rule(page).getByRole('checkbox', { name: 'Mitigations available' }))
  const field = rule(page).getByRole('textbox', { name: 'Mitigations', exact: true })
  await input.write(field, 'Somebody removes them each month.')
  await input.press(page.getByRole('button', { name: 'Save now' }), { key: 'Control+s' })
  await page.getByText(/^Saved \d/).waitFor()
  const panel = rule(page).getByRole('button', { name: 'Request review …' })
  const note = page.locator('#review-note')
  await input.write(note, 'Complete.', { key: 'l', through: panel })
  await input.press(page.getByRole('button', { name: 'Lock the rule' }))
  await page.getByText('The rule is locked.').waitFor()
  await input.press(tab(page, 'Readiness'))
  await page.getByText('Nothing prevents a release.').waitFor()
}

export async function release({ page, input, asked }: Player, story: Story): Promise<void> {
  await input.press(page.getByRole('link', { name: 'Go to the release' }))
  await input.press(page.getByRole('button', { name: `Release ${story.component} V1R1` }))
  await page.getByText(`${story.component} V1R1 is released.`).waitFor()
  expect(asked.at(-1)).toContain('This cannot be undone.')
}

/** Every format at once. */
export async function takeOut({ page, input, saves }: Player): Promise<ReadonlyMap<string, Buffer>> {
  await input.press(tab(page, 'Release'))
  await page.getByRole('heading', { name: 'Released' }).waitFor()
  await input.press(page.getByRole('checkbox', { name: 'Every format' }))
  const count = (await page.getByRole('checkbox').count()) - 1
  const files = await saves(count, async () => {
    await input.press(page.getByRole('button', { name: `Export ${count} formats` }))
    await expect.poll(() => page.getByText(/^saved as /).count(), { timeout: 60_000 }).toBe(count)
  })
  expect(files.size).toBe(count)
  return files
}
