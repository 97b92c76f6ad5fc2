// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { openSignedIn } from '../../support/author-window.ts'
import { browserFound, chromiumBrowser, fillInSignIn, type Visit } from '../../support/browser.ts'
import { guidanceService, PASSWORD } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { ReviewTeam, type Team } from '../../support/review-team.ts'
import { placeComment } from '../../support/samples/reviews.ts'

const HOSTILE = '<img src=x onerror=alert(1)> {{ constructor }} \u202Eend'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

describe.runIf(browserFound)('The triage', () => {
  const surf = chromiumBrowser()
  let component = 0
  let rules: readonly number[] = []

  beforeAll(async () => {
    const made = await team.component()
    component = made.id
    rules = made.rules
    const { viewer, other } = team.people
    for (let index = 0; index < 30; index += 1) {
      const { person } = index % 2 === 0 ? viewer : other
      await placeComment(guidance(), person, {
        component_id: component,
        rule_id: rules[index % 2] ?? 0,
        section: 'fixtext',
        comment: index === 29 ? HOSTILE : `Comment number ${index}`,
        created_at: new Date(index * 60_000).toISOString(),
      })
    }
  })

  async function open(path: string, who: keyof Team): Promise<Visit> {
    return openSignedIn(await surf(guidance().service.baseUrl), team.people[who].person.email, path)
  }

  it('is a table with correct counts, and decides on several at once', async () => {
    const visit = await open(`/components/${component}/triage?view=table`, 'author')
    const { page } = visit
    await page.getByText('1 to 25 of 30 comments').waitFor()
    await page.getByText(HOSTILE).waitFor()
    expect(await page.getByRole('link', { name: 'Disposition of the listed comments (CSV)' }).count()).toBe(1)
    await page.getByRole('checkbox', { name: 'Choose all on this page' }).check()
    await page.getByText('25 chosen').waitFor()
    await page.getByRole('radio', { name: 'Decline non-concur' }).check()
    await page.getByRole('button', { name: 'Decide on 25 comments' }).click()
    await page.getByText('To decline, say why: a response is needed.').waitFor()
    await page.getByLabel('Response (required)').fill('Not in this release.')
    await page.getByRole('button', { name: 'Decide on 25 comments' }).click()
    await page.getByText('25 comments decided: Decline.').waitFor()
    await page.getByRole('link', { name: 'Pending 5' }).waitFor()
    await page.getByRole('link', { name: 'Decline 25' }).waitFor()
    await expectSound(visit)
    // On a phone, each row is read from top to bottom.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByText('Choose all on this page').click()
    await page.getByText('5 chosen').waitFor()
    const frame = page.getByRole('region', { name: 'Comments', exact: true })
    expect(
      await frame.evaluate((box: { scrollWidth: number; clientWidth: number }) => box.scrollWidth - box.clientWidth),
    ).toBe(0)
    await expectNoTroubles(visit)
  })

  it('shows the list or the open comment on a phone', async () => {
    const visit = await open(`/components/${component}/triage?view=split&status=all`, 'author')
    const { page } = visit
    await page.getByText('1 of 30', { exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const comment = page.getByRole('region', { name: 'Comment and decision' })
    await comment.waitFor({ state: 'hidden' })
    await page
      .getByRole('region', { name: 'Comments' })
      .getByRole('link', { name: /Comment number 28/ })
      .click()
    await comment.getByText('Comment number 28').waitFor()
    const search = page.getByRole('link', { name: /^All 30/ })
    await search.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /^Next/ }).click()
    await comment.getByText('Comment number 27').waitFor()
    await page.getByRole('button', { name: 'Comments', exact: true }).click()
    await search.waitFor()
    await comment.waitFor({ state: 'hidden' })
    await expectNoTroubles(visit)
  })

  it('goes through them one at a time, by keyboard too, and stays at its place after a decision', async () => {
    const visit = await open(`/components/${component}/triage?view=split&status=all`, 'author')
    const { page } = visit
    await page.getByText('1 of 30', { exact: true }).waitFor()
    await page.keyboard.press('j')
    await page.getByText('2 of 30', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Fix (what the comment is about)' }).waitFor()
    await page.getByRole('region', { name: 'Comment and decision' }).getByText('Comment number 28').waitFor()
    const response = page.getByLabel('Response (optional)')
    await response.fill('Which lid do you mean?')
    const asks = page.getByRole('radio', { name: 'Ask the commenter needs clarification' })
    await asks.check()
    // A draft is restored after a look at another comment, and after a reload.
    await page.getByRole('button', { name: /^Next/ }).click()
    await page.getByText('3 of 30', { exact: true }).waitFor()
    await expect.poll(() => response.inputValue()).toBe('')
    await expect.poll(() => asks.isChecked()).toBe(false)
    await page.getByRole('button', { name: /^Previous/ }).click()
    await page.getByText('2 of 30', { exact: true }).waitFor()
    await page.reload()
    await expect.poll(() => response.inputValue()).toBe('Which lid do you mean?')
    await expect.poll(() => asks.isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('1 comment decided: Needs clarification.').waitFor()
    await page
      .getByRole('region', { name: 'Comment and decision' })
      .getByText('Needs clarification', { exact: true })
      .waitFor()
    await page.getByRole('region', { name: 'Comments' }).getByText('Needs clarification', { exact: true }).waitFor()
    await expect.poll(() => response.inputValue()).toBe('')
    await page.getByText('2 of 30', { exact: true }).waitFor()
    const lastWord = page.getByLabel('Closing comment (optional)')
    await lastWord.fill('As agreed.')
    const field = await lastWord.getAttribute('id')
    await page.getByRole('button', { name: /^Next/ }).click()
    // Another comment that can be closed has an empty field of its own.
    await page.locator(`[id="${field}"]`).waitFor({ state: 'detached' })
    for (const other of await lastWord.all()) expect(await other.inputValue()).toBe('')
    await page.getByRole('button', { name: /^Previous/ }).click()
    await expect.poll(() => lastWord.inputValue()).toBe('As agreed.')
    await page.getByRole('button', { name: 'Close the comment' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await page.getByText('As agreed.').waitFor()
    await expectSound(visit)
  })

  it('goes rule by rule', async () => {
    const visit = await open(`/components/${component}/triage?view=rules&status=all`, 'admin')
    const { page } = visit
    await page.getByRole('button', { name: /TEAP-00-000001\s*15 comments/ }).click()
    await page.getByText('Comment number 28').waitFor()
    await page.getByText('As an administrator').first().waitFor({ state: 'attached' })
    await expectSound(visit)
  })

  it('shows a viewer why nothing can be decided, and takes a comment and a reply', async () => {
    const visit = await open(`/components/${component}/triage?view=split`, 'viewer')
    const { page } = visit
    await page.getByText('Authors, reviewers and administrators decide on comments.').waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    await page.getByText('Filters, comment period').click()
    await page.getByText('Comment on the whole component').click()
    await page.getByLabel('New comment').fill(HOSTILE)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByText('Comment posted. Everybody who may read this can see it.').waitFor()
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    await page.getByLabel(/^Reply to/).fill('I mean the second one.')
    await page.getByRole('button', { name: 'Send the reply' }).click()
    await page.getByRole('list', { name: 'Replies' }).getByText('I mean the second one.').waitFor()
    expect(visit.troubles).toEqual([])
  })

  it('is next to the rule in the editor, and shows new comments of others there', async () => {
    const made = await team.component()
    const [rule = 0] = made.rules
    const path = `/components/${made.id}?rule=TEAP-00-000001&panel=comments`
    const visit = await open(path, 'viewer')
    const { page } = visit
    await page.getByLabel('About', { exact: true }).selectOption('fixtext')
    await page.getByLabel('New comment').fill('For how long?')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('heading', { name: 'Fix (1)' }).waitFor()
    await page.getByRole('button', { name: 'Agree 0', exact: true }).click()
    await page.getByRole('button', { name: 'Agree 1', exact: true, pressed: true }).waitFor()
    await team.comment(team.people.author, rule, { comment: 'And how often?' })
    await page.getByText('And how often?').waitFor()
    await expectSound(visit)
  })

  it('says that pasted text was cut at the limit of the field', async () => {
    const { id } = await team.component()
    const { page } = await open(`/components/${id}?rule=TEAP-00-000001&panel=comments`, 'viewer')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate("navigator.clipboard.writeText('y'.repeat(10_007))")
    await page.getByRole('textbox', { name: 'New comment' }).press('Control+v')
    await page.getByText('the last 7 of what you pasted are not in it').waitFor()
  })

  it('keeps drafts for their author, and shows them to nobody else at that browser', async () => {
    const { id } = await team.component()
    const path = `/components/${id}?rule=TEAP-00-000001&panel=comments`
    const { page } = await open(path, 'viewer')
    const field = page.getByLabel('New comment')
    await field.fill('Half a thought')
    const change = async (who: keyof Team): Promise<string> => {
      await page.goto(new URL('/account', page.url()).href)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL('**/users/sign_in')
      await page.goto(new URL(`/users/sign_in?return_to=${encodeURIComponent(path)}`, page.url()).href)
      await fillInSignIn(page, team.people[who].person.email, PASSWORD)
      await field.waitFor()
      return field.inputValue()
    }
    expect(await change('author')).toBe('')
    expect(await change('viewer')).toBe('Half a thought')
  })

  it('closes the comments for everybody', async () => {
    const { id } = await team.component()
    const { page, troubles } = await open(`/components/${id}/triage`, 'author')
    await page.getByText('Comment period: open').click()
    await page.getByLabel('Phase').selectOption('finalized')
    await page.getByLabel('Until').fill('2030-01-31')
    await page.getByRole('button', { name: 'Save the comment period' }).click()
    await page.getByText('Comment period: final').waitFor()
    await expect.poll(() => page.getByText('Comment on the whole component').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  it('exists for a whole project', async () => {
    const visit = await open(`/projects/${team.projectId}/triage?status=all`, 'viewer')
    await visit.page.getByText(/^1 to 25 of 3\d comments$/).waitFor()
    await visit.page.getByText('Authors can export the disposition of comments.').waitFor()
    await expectNoTroubles(visit)
  })

  it('tells people the decisions on their comments', async () => {
    const visit = await open('/comments', 'viewer')
    const { page } = visit
    await page.getByRole('heading', { name: 'My comments' }).waitFor()
    await page.getByRole('link', { name: /^Decline 1\d$/ }).click()
    await page.getByText('Not in this release.').first().waitFor()
    await expectNoTroubles(visit)
  })
})
