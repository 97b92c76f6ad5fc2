import { expect } from 'vitest'
import { csvRows } from '../../../support/csv.ts'
import type { Player } from '../cast.ts'
import { goHome, goToRules, tab, type Story } from './begin.ts'
import { openFirstRule } from './write.ts'

const DAY = 86_400_000

export async function openComments({ page, input }: Player): Promise<void> {
  await input.press(tab(page, 'Comments'))
  await input.press(page.getByText('Comment period: open'))
  const until = new Date(Date.now() + 28 * DAY).toISOString().slice(0, 10)
  await input.date(page.getByLabel('Until'), until)
  await input.press(page.getByRole('button', { name: 'Save the comment period' }))
  await page.getByText(/Open for comments until/).waitFor()
}

export async function comment(
  player: Player,
  story: Story,
  { about, text }: { readonly about: string; readonly text: string },
): Promise<void> {
  const { page, input } = player
  await goToRules(player, story)
  const panel = await openFirstRule(player, 'Comments')
  const words = page.getByRole('textbox', { name: 'New comment' })
  await input.write(words, text, { key: 'c', through: panel })
  await input.choose(page.getByLabel('About', { exact: true }), about)
  await input.press(page.getByRole('button', { name: 'Comment', exact: true }))
  await page.getByRole('article', { name: new RegExp(`by ${player.name}$`) }).waitFor()
}

/** Decisions on the comments, from the last to the first. */
const DECISIONS = [
  { decision: 'Accept', choice: 'Accept concur', label: 'Response (optional)', response: 'That of the system.' },
  {
    decision: 'Decline',
    choice: 'Decline non-concur',
    label: 'Response (required)',
    response: 'The check names it.',
  },
] as const

/** From home to the comments in a table, and from there one at a time; then the matrix of all of them. */
export async function decide(player: Player, story: Story): Promise<void> {
  const { page, input, saves } = player
  await goHome(player)
  await input.press(page.getByRole('link', { name: /^2 comments to decide on/ }))
  await input.press(page.getByRole('link', { name: 'Table' }))
  await input.press(page.getByRole('link', { name: /^Open comment/ }).first())
  // The pressed link has gone with the list, so the focus moves to the comment.
  await page.locator('section:focus[aria-label="Comment and decision"]').waitFor()
  for (const [index, { decision, choice, label, response }] of DECISIONS.entries()) {
    if (index > 0) await input.press(page.getByRole('button', { name: /^Next/ }), { key: 'j' })
    await page.getByRole('article', { name: index === 0 ? /by Cora$/ : /by Vic$/ }).waitFor()
    await input.pick(page.getByRole('group', { name: 'Decision' }), choice)
    await input.write(page.getByLabel(label), response)
    await input.press(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText(`1 comment decided: ${decision}.`).waitFor()
    await input.press(page.getByRole('button', { name: 'Close the comment' }))
    await page.getByText('Closed by Ann.').waitFor()
  }
  await input.press(page.getByRole('link', { name: /^All 2/ }))
  await input.press(page.getByRole('link', { name: 'Table' }))
  const files = await saves(1, () => input.press(page.getByRole('link', { name: /^Disposition/ })))
  const [, ...rows] = csvRows(String([...files.values()][0]))
  expect(rows.map(([, id, , section, , says]) => [id, section, says])).toEqual([
    [`${story.prefix}-000001`, 'general', 'Which file is it?'],
    [`${story.prefix}-000001`, 'check_content', 'Which grep?'],
  ])
}

export async function readAnswer({ page, input }: Player, { component }: Story): Promise<void> {
  const pages = page.getByRole('navigation', { name: 'Pages of my work' })
  await input.press(pages.getByRole('link', { name: 'My comments' }))
  const ownComment = page.getByRole('listitem').filter({ hasText: component })
  await ownComment.getByText('Decline, closed').waitFor()
  await ownComment.getByText('The check names it.').waitFor()
}
