import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Player } from '../cast.ts'
import { goToRules, tab, type Story } from './begin.ts'

/** Rules by their statuses, with the fields that each status asks for. The mitigation is forgotten, for now. */
export const WRITTEN: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'Applicable - Configurable',
    {
      Requirement: 'Penguin OS 1 must keep "accounts" & its <settings>.',
      Check: 'Verify the accounts:\n\n# grep on /etc/penguin\n\nIf there is none, this is a finding.',
      Fix: 'Set accounts = on\nand restart.',
      'InSpec control body': "describe file('/etc/penguin') do\nit { should exist }\nend",
    },
  ],
  [
    'Applicable - Inherently Meets',
    { 'Status justification': 'The kernel has nothing else.', 'Artifact description': 'The source of the kernel.' },
  ],
  ['Applicable - Does Not Meet', { 'Status justification': 'Accounts never expire.' }],
  ['Not Applicable', { 'Status justification': 'There is no such session.' }],
]

/** The open rule. */
export function rule(page: Page): Locator {
  return page.getByRole('region', { name: 'Rule', exact: true })
}

/** The entry of a rule in the list. */
export function inList(page: Page, number: number): Locator {
  const name = new RegExp(`^${String(number).padStart(6, '0')}`)
  return page.getByRole('region', { name: 'Rules' }).getByRole('link', { name })
}

export async function writeRules(player: Player, story: Story): Promise<void> {
  const { page, input } = player
  await goToRules(player, story)
  for (const [index, [status, fields]] of WRITTEN.entries()) {
    const name = `${story.prefix}-${String(index + 1).padStart(6, '0')}`
    await input.press(inList(page, index + 1), { key: 'j' })
    await rule(page).getByRole('heading', { name }).waitFor()
    const choice = rule(page).getByRole('combobox', { name: 'Status', exact: true })
    await input.choose(choice, status, { key: 's' })
    if ('InSpec control body' in fields) await input.press(rule(page).getByText('More fields:'))
    for (const [field, text] of Object.entries(fields))
      await input.write(rule(page).getByRole('textbox', { name: field, exact: true }), text)
    await input.press(page.getByRole('button', { name: 'Save now' }), { key: 'Control+s' })
    await page.getByText(/^Saved \d/).waitFor()
  }
}

/** The rest is written elsewhere: out, changed, and in again. */
export async function writeInSpreadsheet(player: Player, { rules }: Story): Promise<void> {
  const { page, input, saves } = player
  await input.press(tab(page, 'Release'))
  await input.press(page.getByRole('checkbox', { name: 'Spreadsheet (CSV)' }))
  const files = await saves(1, async () => {
    await input.press(page.getByRole('button', { name: 'Export 1 format' }))
    await page.getByText(/^saved as .*\.csv$/).waitFor()
  })
  const [[name, content] = ['', Buffer.of()]] = files
  await input.press(page.getByRole('link', { name: 'Choose a file' }))
  const buffer = Buffer.from(justified(content.toString('utf8')))
  const field = page.getByLabel('Spreadsheet (.xlsx or .csv)')
  await input.upload(field, { name, mimeType: 'text/csv', buffer })
  const rest = rules - WRITTEN.length
  await page.getByText(`${rest * 2} cells of ${rest} rules would change`).waitFor()
  await input.press(page.getByRole('button', { name: `Change ${rest} rules` }))
  await page.getByText(`Successfully updated ${rest} rules`).waitFor()
}

const records = z.array(z.record(z.string(), z.string()))

/** Sets all undetermined rules to Not Applicable. */
function justified(csv: string): string {
  const rows = records.parse(parse(csv, { bom: true, columns: true }))
  const changed = rows.map((row) =>
    row['Status'] === 'Not Yet Determined'
      ? { ...row, Status: 'Not Applicable', 'Status Justification': 'Penguins have none.' }
      : row,
  )
  expect(changed).not.toEqual(rows)
  return stringify(changed, { header: true })
}

/** Opens the first rule by the keyboard. Returns the link or the button to one of its panels. */
export async function openFirstRule({ page, input }: Player, panel: string): Promise<Locator> {
  await input.press(inList(page, 1), { key: 'j' })
  await rule(page)
    .getByRole('heading', { name: /000001$/ })
    .waitFor()
  const to = { name: panel, exact: panel !== 'Comments' }
  return rule(page).getByRole('link', to).or(rule(page).getByRole('button', to))
}

export async function askForReview(player: Player, story: Story): Promise<void> {
  const { page, input } = player
  await goToRules(player, story)
  const panel = await openFirstRule(player, 'Request review …')
  const note = page.locator('#review-note')
  await input.write(note, 'Please look.', { key: 'Control+Enter', through: panel })
  await input.press(page.getByRole('button', { name: 'Request review', exact: true }))
  await page.getByText('You requested a review.').waitFor()
}

/** Somebody else does, whom their home leads there. */
export async function approve(player: Player, story: Story): Promise<void> {
  const { page, input } = player
  await input.press(page.getByRole('link', { name: `1 rule to review in ${story.component}` }))
  await page.getByText(`1 of ${story.rules} rules`).waitFor()
  const panel = await openFirstRule(player, 'Review …')
  const note = page.locator('#review-note')
  await input.write(note, 'Fine.', { key: 'l', through: panel })
  await input.press(page.getByRole('button', { name: 'Approve and lock' }))
  await page.getByText('The rule is locked.').waitFor()
}
