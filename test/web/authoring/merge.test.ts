// @module-tag long

import { describe, expect, it } from 'vitest'
import { editXlsx, merging } from '../../guidance/interchange/merges/merges.ts'
import { openSignedIn } from '../../support/author-window.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { expectSound } from '../../support/page-check.ts'

const { component, edit, exported, guidance, own, rule } = merging()

describe.runIf(browserFound)('The page that merges a file', () => {
  const surf = chromiumBrowser()

  it('shows the plan of a returned sheet, takes decisions, applies them, and undoes them', async () => {
    const made = await component()
    const [first = 0] = made.rules
    const sheet = await exported(made, 'excel')
    await edit(first, { title: 'Ours.' })
    const buffer = await editXlsx(sheet, (row, index) => {
      if (index === 0) row.set('Requirement', 'Theirs.')
      if (index === 2) row.set('Status Justification', 'No lid at all.')
    })
    const visit = await openSignedIn(
      await surf(guidance().service.baseUrl),
      own().client.email,
      `/components/${made.id}/merge`,
    )
    const { page } = visit
    await page
      .getByLabel('Spreadsheet, archive, XCCDF file, checklist or InSpec profile')
      .setInputFiles({ name: 'returned.xlsx', mimeType: 'application/octet-stream', buffer })
    await page.getByRole('heading', { name: 'returned.xlsx' }).waitFor()
    await page.getByText('1 conflict to decide first.').waitFor()
    await page.getByText('Not decided').waitFor()
    await expectSound(visit)
    expect(await page.getByRole('button', { name: 'Apply the plan' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Text', { exact: true }).fill('Both.')
    await page.getByRole('button', { name: 'Take this text' }).click()
    await page.getByText('All of it is written at once, and can be undone.').waitFor()
    await page.getByRole('link', { name: 'Changed in the file 1' }).click()
    await page.getByText('No lid at all.').waitFor()
    await page.getByRole('button', { name: 'Apply the plan' }).click()
    await page.getByRole('button', { name: 'Undo the merge' }).waitFor()
    expect((await rule(first)).title).toBe('Both.')
    await page.reload()
    await page.getByRole('button', { name: 'Undo the merge' }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    expect((await rule(first)).title).toBe('Ours.')
  })
})
