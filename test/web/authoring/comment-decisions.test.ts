// @module-tag long

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openSignedIn } from '../../support/author-window.ts'
import { browserFound, chromiumBrowser, type Visit } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { ReviewTeam, type Team } from '../../support/review-team.ts'

const HOSTILE = '<img src=x onerror=alert(1)> {{ constructor }} \u202Eend [a](javascript:alert(1))'

const FOCUSED = "document.activeElement.getAttribute('aria-label')"

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

describe.runIf(browserFound)('A comment in the triage', () => {
  const surf = chromiumBrowser()

  async function open(path: string, who: keyof Team): Promise<Visit> {
    return openSignedIn(await surf(guidance().service.baseUrl), team.people[who].person.email, path)
  }

  /** A component with comments of the viewer on its rules, the first one hostile; their numbers. */
  async function commented(count: number): Promise<{ id: number; comments: readonly number[] }> {
    const { id, rules } = await team.component()
    const comments: number[] = []
    for (let index = 0; index < count; index += 1) {
      const comment = index === 0 ? HOSTILE : `Comment number ${index}`
      const placed = await team.comment(team.people.viewer, rules[index % 2] ?? 0, { comment })
      comments.push(placed.id)
    }
    return { id, comments }
  }

  const split = (id: number, comment: number | undefined): string =>
    `/components/${id}/triage?view=split&status=all&comment=${comment}`

  const decision = (page: Page) => page.getByRole('group', { name: 'Decision' })

  it('becomes a duplicate of another one, found by its words, and links to it', async () => {
    const { id, comments } = await commented(3)
    const [first = 0, second = 0] = comments
    const visit = await open(split(id, second), 'reviewer')
    const { page } = visit
    await decision(page).waitFor()
    await page.keyboard.press('k')
    const beside = page.getByRole('region', { name: 'Comment and decision' })
    await beside.getByText('Comment number 2').waitFor()
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Comment and decision')
    await page.keyboard.press('j')
    await beside.getByText('Comment number 1').waitFor()
    await decision(page).getByRole('radio', { name: 'Duplicate of …' }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Choose the comment that it repeats.').waitFor()
    await page.getByLabel('Repeats', { exact: true }).fill('onerror')
    const found = page.getByLabel('Repeats: found')
    await expect.poll(() => found.getByRole('option').count()).toBe(1)
    expect(await found.getByRole('option').textContent()).toContain('<img src=x onerror')
    await found.selectOption(String(first))
    await page.getByLabel('Response (optional)').fill(HOSTILE)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('1 comment decided: Duplicate.').waitFor()
    expect(await page.getByText('As an administrator').count()).toBe(0)
    await page.goto(new URL(split(id, second), page.url()).href)
    await page.getByRole('link', { name: `comment ${first}`, exact: true }).click()
    await page.getByRole('article', { name: new RegExp(`^Comment ${first} `) }).waitFor()
    await page.getByText(HOSTILE).first().waitFor()
    await expectSound(visit)
  })

  it('is addressed by a rule, and links to it', async () => {
    const { id, comments } = await commented(1)
    const visit = await open(split(id, comments[0]), 'author')
    const { page } = visit
    await decision(page).getByRole('radio', { name: 'Addressed by rule …' }).check()
    await page.getByLabel('Addressed by', { exact: true }).fill('no such rule')
    await page.getByText('No rule is called that.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Choose the rule that addresses it.').waitFor()
    await page.getByLabel('Addressed by', { exact: true }).fill('TEAP-00-000001')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('It is about that rule itself').waitFor()
    await page.getByLabel('Addressed by', { exact: true }).fill('teap-00-000002')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^1 comment decided: Addressed/).waitFor()
    await page.getByText('Addressed by').getByRole('link', { name: 'TEAP-00-000002' }).click()
    await page.waitForURL(/rule=TEAP-00-000002/)
    expect(visit.troubles).toEqual([])
  })

  it('is merged with others of the same person into one that is not a duplicate', async () => {
    const { id, comments } = await commented(3)
    const [first = 0, second = 0, third = 0] = comments
    await team.people.admin.client.call('PATCH', `/reviews/${first}/triage`, {
      body: { triage_status: 'duplicate', duplicate_of_review_id: third, lock_version: 0 },
    })
    await team.comment(team.people.other, (await team.component()).rules[0] ?? 0)
    const visit = await open(`/components/${id}/triage?view=table&status=all`, 'admin')
    const { page } = visit
    await page.getByRole('checkbox', { name: 'Choose all on this page' }).check()
    await page.getByText('Merge into one').click()
    const survivors = page.getByLabel('The comment that remains').getByRole('option')
    const listed = (await survivors.allTextContents()).join(' ')
    expect(listed).toContain(`${third} · TEAP-00-000001: Comment number 2`)
    expect(listed).toContain(`${second} · TEAP-00-000002: Comment number 1`)
    expect(listed).not.toContain(`${first} · `)
    await page.getByLabel('The comment that remains').selectOption(String(second))
    await page.getByRole('button', { name: 'Merge 3 comments' }).click()
    await page.getByText(`[Merged: originally posted on TEAP-00-000001]`).waitFor()
    await page.getByRole('link', { name: 'Duplicate 2' }).waitFor()
    await expectNoTroubles(visit)
  })

  it('is moved to another rule and another section, with a reason', async () => {
    const { id, comments } = await commented(1)
    const visit = await open(split(id, comments[0]), 'admin')
    const { page } = visit
    await page.getByText('Another section').click()
    await page.getByLabel('Section', { exact: true }).last().selectOption('fixtext')
    await page.getByRole('button', { name: 'Change the section' }).click()
    await page.getByText('Say why: it is noted.').waitFor()
    await page.getByLabel('Reason, for the audit trail').first().fill(HOSTILE)
    await page.reload()
    await page.getByText('Another section').click()
    const reason = page.getByLabel('Reason, for the audit trail').first()
    await expect.poll(() => reason.inputValue()).toBe(HOSTILE)
    await page.getByLabel('Section', { exact: true }).last().selectOption('fixtext')
    await page.getByRole('button', { name: 'Change the section' }).click()
    const comment = page.getByRole('article', { name: /^Comment / })
    await comment.getByText('Fix', { exact: true }).waitFor()
    await page.getByText('As an administrator').click()
    await page.getByLabel('To the rule').fill('TEAP-00-000003')
    await page.getByLabel('Reason, for the audit trail').last().fill('It is about that one.')
    await page.getByRole('button', { name: 'Move to another rule' }).click()
    await comment.getByRole('link', { name: 'TEAP-00-000003' }).waitFor()
    await comment.getByText('[Moved from TEAP-00-000001').waitFor()
    await comment.getByText(HOSTILE).waitFor()
    await expectNoTroubles(visit)
  })

  it('is agreed with and disagreed with, once by each, until comments are closed', async () => {
    const { id, comments } = await commented(1)
    const visit = await open(split(id, comments[0]), 'other')
    const { page } = visit
    const button = (name: string, pressed: boolean) => page.getByRole('button', { name, exact: true, pressed })
    await button('Agree 0', false).click()
    await button('Agree 1', true).waitFor()
    await button('Disagree 0', false).press('Enter')
    await button('Disagree 1', true).waitFor()
    await button('Agree 0', false).waitFor()
    await button('Disagree 1', true).click()
    await button('Disagree 0', false).waitFor()
    await team.setPhase(id, { comment_phase: 'closed', closed_reason: 'finalized' })
    await page.reload()
    await page.getByText('0 agree, 0 disagree').waitFor()
    expect(await button('Agree 0', false).count()).toBe(0)
    expect(visit.troubles).toEqual([])
  })
})
