// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openSignedIn } from '../../support/author-window.ts'
import { browserFound, chromiumBrowser, type Visit } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { ReviewTeam, type Team } from '../../support/review-team.ts'
import { placeComment } from '../../support/samples/reviews.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

const SAME = 'Containers have no boot loader: say that this is not applicable to them.'

describe.runIf(browserFound)('Comments between people', () => {
  const surf = chromiumBrowser()
  let component = 0
  let rules: readonly number[] = []

  beforeAll(async () => {
    const made = await team.component()
    component = made.id
    rules = made.rules
    const body = { rule: { status: 'Applicable - Configurable', fixtext: 'Open the file.\nSet deny = 3.' } }
    await team.people.author.client.call('PUT', `/rules/${rules[0] ?? 0}`, { body })
  })

  async function open(path: string, who: keyof Team): Promise<Visit> {
    return openSignedIn(await surf(guidance().service.baseUrl), team.people[who].person.email, path)
  }

  async function fixtext(): Promise<string | null> {
    const { body } = await team.people.author.client.call('GET', `/rules/${rules[0] ?? 0}`)
    return z.looseObject({ fixtext: z.string().nullable() }).parse(body).fixtext
  }

  it('suggest another text next to the rule, which an author accepts', async () => {
    const reader = await open(`/components/${component}?rule=TEAP-00-000001&panel=comments&about=fixtext`, 'viewer')
    await reader.page.getByLabel('Suggest another text').check()
    const text = reader.page.getByLabel('Suggested text')
    await expect.poll(() => text.inputValue()).toBe('Open the file.\nSet deny = 3.')
    await text.fill('Open the file.\nSet deny = 5.')
    await text.press('Control+Enter')
    await reader.page.getByText('Suggests another text: Fix').waitFor()
    await expectSound(reader)
    const author = await open(`/components/${component}/triage?view=split`, 'author')
    await author.page.getByRole('button', { name: 'Edit first' }).waitFor()
    await expectNoTroubles(author)
    await author.page.getByRole('button', { name: 'Accept', exact: true }).click()
    await expect.poll(fixtext).toBe('Open the file.\nSet deny = 5.')
    await author.page.getByText('accepted', { exact: true }).waitFor()
  })

  it('say the same, and are decided on once, without excluded ones', async () => {
    for (const rule_id of rules)
      await placeComment(guidance(), team.people.viewer.person, { component_id: component, rule_id, comment: SAME })
    const visit = await open(`/components/${component}/triage?view=alike`, 'author')
    const { page } = visit
    await page.getByText('3 comments', { exact: true }).waitFor()
    await page.getByRole('checkbox').last().uncheck()
    await page.getByRole('button', { name: 'Decide once' }).click()
    await page.getByRole('radio', { name: 'Accept concur', exact: true }).check()
    await page.getByLabel('Response (optional)').fill('We say so.')
    await expectSound(visit)
    await page.getByRole('button', { name: 'Decide on 2 comments' }).click()
    await page.getByText('2 comments decided: Accept.').waitFor()
    await page.getByRole('link', { name: 'Duplicate 1' }).waitFor()
  })

  it('ask for the review of several rules at once', async () => {
    const visit = await open(`/components/${component}?tool=bulk`, 'author')
    await visit.page.getByRole('button', { name: 'Choose all shown' }).click()
    await visit.page.getByRole('button', { name: 'Request review: 3 rules' }).click()
    await visit.page.getByText('3 rules: The rule is waiting for a review.').waitFor()
    await expectSound(visit)
  })
})
