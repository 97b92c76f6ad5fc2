// @module-tag long

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectOwner } from '../../support/author-window.ts'
import { browserFound } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectSound } from '../../support/page-check.ts'

const guidance = guidanceService()

describe.runIf(browserFound)('Evidence and questions', () => {
  const owner = projectOwner(guidance)

  it('attaches a file, says why another is refused, and removes after a second press', async () => {
    const { id, rules } = await owner().makeComponent({ rules: 1 })
    const [rule = 0] = rules
    const folder = await temporaryFolder()
    const log = join(folder, 'a very long name of a file with the output of the lid sensor.log')
    await writeFile(log, 'The lid was shut.')
    const html = join(folder, 'page.html')
    await writeFile(html, '<script>document.title = "Run"</script>')
    const visit = await owner().open(`/components/${id}?rule=TEAP-00-000001&panel=evidence`)
    const { page } = visit
    await page.getByText('No file is attached to this rule.').waitFor()
    await page.getByLabel('Attach a file').setInputFiles(html)
    await page.getByText(/page\.html cannot be attached/).waitFor()
    await page.getByLabel('Attach a file').setInputFiles(log)
    const files = page.getByRole('list', { name: 'Attached files' })
    await files.getByRole('link').waitFor()
    await expectSound(visit, [`422 POST /rules/${rule}/attachments`])
    const [download] = await Promise.all([page.waitForEvent('download'), files.getByRole('link').press('Enter')])
    expect(download.suggestedFilename()).toContain('lid sensor.log')
    await files.getByRole('button', { name: /^Remove .* …$/ }).press('Enter')
    await files.getByRole('button', { name: /for everybody$/ }).press('Enter')
    await page.getByText('No file is attached to this rule.').waitFor()
  })

  it('defines questions by the keyboard, and the editor asks them', async () => {
    const { id } = await owner().makeComponent({ rules: 1 })
    const visit = await owner().open(`/components/${id}/questions`)
    const { page } = visit
    const save = page.getByRole('button', { name: 'Save the questions' })
    await page.getByRole('button', { name: 'Add a question' }).press('Enter')
    await page.keyboard.type('Which lid?')
    await page.getByLabel('Answer', { exact: true }).selectOption('dropdown')
    await save.press('Enter')
    await page.getByText("Options can't be blank: Which lid?").first().waitFor()
    await page.getByLabel('Answers to choose from').fill('flat\nround\n\nflat')
    await expectSound(visit, [`422 PATCH /components/${id}`])
    await save.press('Enter')
    await expect
      .poll(async () => (await owner().client.call('GET', `/api/components/${id}/form`)).body)
      .toMatchObject({
        additional_questions: [{ name: 'Which lid?', question_type: 'dropdown', options: ['flat', 'round'] }],
      })
    await page.locator('form[aria-busy]').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove question 1' }).press('Enter')
    await page.getByText('Saving removes 1 question with all answers: Which lid?').waitFor()
    await page.goto(`${guidance().service.baseUrl}/components/${id}?rule=TEAP-00-000001`)
    await page.getByLabel('Which lid?').selectOption('round')
    await expect
      .poll(async () => JSON.stringify((await owner().client.call('GET', `/api/components/${id}/form`)).body))
      .toContain('Which lid?')
  })
})
