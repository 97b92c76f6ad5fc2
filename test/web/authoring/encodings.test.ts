// @module-tag long

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectOwner } from '../../support/author-window.ts'
import { storeSrg } from '../../support/authoring.ts'
import { browserFound } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { csvOf } from '../../support/spreadsheet.ts'

const guidance = guidanceService()

const TITLE = 'Señor, shut it.'
const MISREAD = 'SeÃ±or, shut it.'

describe.runIf(browserFound)('Pages that read a spreadsheet', () => {
  const owner = projectOwner(guidance)
  let srgId = 0

  beforeAll(async () => {
    srgId = await storeSrg(guidance(), 'stig', 3)
  })

  async function choose(page: Page, label: string, encoding: 'latin1' | 'utf8'): Promise<void> {
    const text = csvOf([{ SRGID: 'SRG-TEA-000001', STIGID: 'TEAP-00-000001', Requirement: TITLE }])
    const file = { name: 'pots.csv', mimeType: 'text/csv', buffer: Buffer.from(text, encoding) }
    await page.getByLabel(label).setInputFiles(file)
  }

  const note = (page: Page) => page.getByRole('region', { name: 'Encoding of the file' })

  it('begin a component from a file in Windows-1252', async () => {
    const visit = await owner().open(`/projects/${owner().projectId}/components/new?from=spreadsheet`)
    const { page } = visit
    await choose(page, 'Spreadsheet (.xlsx or .csv)', 'latin1')
    await note(page).getByText('It is read as Windows-1252').waitFor()
    await note(page).getByText(TITLE).waitFor()
    await expectSound(visit)
    await page.getByLabel('Name', { exact: true }).fill('Pots')
    await page.getByLabel('Title').fill('Pots Guide')
    await page.getByRole('button', { name: 'Create the component' }).press('Enter')
    await page.getByRole('heading', { name: 'Pots', level: 1 }).waitFor()
    await page.getByText(TITLE).first().waitFor()
  })

  it('update rules from it, in another encoding if the author says so', async () => {
    const made = await owner().makeComponent({ srgId, name: 'Updated' })
    const visit = await owner().open(`/components/${made.id}/spreadsheet`)
    const { page } = visit
    await choose(page, 'Spreadsheet (.xlsx or .csv)', 'latin1')
    await note(page).getByText(TITLE).waitFor()
    await expectNoTroubles(visit)
    const encoding = page.getByLabel('Read the file as')
    await encoding.selectOption('utf-8')
    await page.getByText('The file is not in UTF-8. Save it as "CSV UTF-8".').waitFor()
    await encoding.selectOption('windows-1252')
    await page.getByRole('button', { name: 'Change 1 rule' }).click()
    await page.getByText(/Changed:/).waitFor()
    const [first = 0] = made.rules
    expect((await owner().client.call('GET', `/rules/${first}`)).body).toMatchObject({ title: TITLE })
  })

  it('do not ask about a file in UTF-8', async () => {
    const made = await owner().makeComponent({ srgId, name: 'Plain' })
    const { page } = await owner().open(`/components/${made.id}/spreadsheet`)
    await choose(page, 'Spreadsheet (.xlsx or .csv)', 'utf8')
    await page.getByRole('button', { name: 'Change 1 rule' }).waitFor()
    expect(await note(page).count()).toBe(0)
    expect(await page.getByText(MISREAD).count()).toBe(0)
  })

  it('merge it', async () => {
    const made = await owner().makeComponent({ srgId, name: 'Merged' })
    const visit = await owner().open(`/components/${made.id}/merge`)
    const { page } = visit
    await choose(page, 'Spreadsheet, archive, XCCDF file, checklist or InSpec profile', 'latin1')
    await note(page).getByText(TITLE).waitFor()
    await expectNoTroubles(visit)
    await page.getByRole('button', { name: 'Apply the plan' }).press('Enter')
    await page.getByRole('button', { name: 'Undo the merge' }).waitFor()
    const [first = 0] = made.rules
    expect((await owner().client.call('GET', `/rules/${first}`)).body).toMatchObject({ title: TITLE })
  })
})
