// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { personsPageOpener } from '../../support/author-window.ts'
import { browserFound } from '../../support/browser.ts'
import { setRows } from '../../support/guidance-records.ts'
import { guidanceService, type Person, type SessionClient } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { makeSrgs } from '../../support/relocations.ts'

const HOSTILE = '<script>document.title="taken"</script>'

const guidance = guidanceService()

describe.runIf(browserFound)('The page of relocations', () => {
  const openAs = personsPageOpener(guidance)
  let ada: Person
  let vera: Person
  let owner: SessionClient
  let srgs: Awaited<ReturnType<typeof makeSrgs>>

  beforeAll(async () => {
    ada = await guidance().person('Ada')
    vera = await guidance().person('Vera')
    owner = await guidance().signIn(ada.email)
    const projectId = await guidance().project(owner, { name: 'Penguins' })
    await guidance().member(projectId, vera, 'viewer')
    srgs = await makeSrgs(guidance(), ada, { projectId })
    await setRows(guidance(), 'rules', { title: HOSTILE }, { component_id: srgs.source.id })
  })

  it('proposes by the keyboard, and withdraws', async () => {
    const visit = await openAs(ada, `/components/${srgs.source.id}/relocations`)
    const { page } = visit
    await page.getByText('No proposal is waiting.').waitFor()
    await page.getByRole('button', { name: 'Propose it' }).waitFor()
    await page.getByLabel('Which SRG it should go to').selectOption('KETL')
    await page.getByRole('button', { name: 'Propose it' }).press('Enter')
    await page.getByText('Choose a requirement first.').waitFor()
    await page.getByLabel('Find a requirement').fill('000002')
    await page.getByRole('radio', { name: 'TEAP-00-000002' }).press('Space')
    await page.getByRole('button', { name: 'Propose it' }).press('Enter')
    await page.getByText('Relocation proposed.').waitFor()
    const proposed = page.getByRole('radio', { name: 'TEAP-00-000002' })
    expect(await proposed.isDisabled()).toBe(true)
    await page.getByText('(is proposed already)').waitFor()
    await expectSound(visit)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: /^Withdraw it.*000002$/ }).click()
    await page.getByText('Relocation proposal withdrawn.').waitFor()
    await page.getByText('None of its requirements is proposed').waitFor()
    expect(visit.troubles).toEqual([])
  })

  it('previews the acceptance, accepts with a confirmation, and declines with a reason', async () => {
    for (const rule of srgs.source.rules.slice(0, 2))
      await owner.call('POST', `/rules/${rule}/relocations`, {
        body: { requirement_relocation: { target_technology_token: 'KETL' } },
      })
    const visit = await openAs(ada, `/components/${srgs.target.id}/relocations`)
    const { page } = visit
    await page.getByRole('link', { name: /^Look at it.*000001$/ }).press('Enter')
    await page.getByText('It would be').waitFor()
    await page.getByText(HOSTILE).waitFor()
    await expectSound(visit)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Accept TEAP-00-000001' }).click()
    const landed = page.getByRole('link', { name: /^KETL-00-\d{6}$/ })
    await landed.waitFor()
    await page.getByRole('link', { name: /^Look at it.*000002$/ }).click()
    await page.getByRole('button', { name: 'Decline TEAP-00-000002' }).click()
    await page.getByText("Rationale can't be blank").waitFor()
    await page.getByLabel('Why it is declined').fill(`Not ours: ${HOSTILE}`)
    await page.getByRole('button', { name: 'Decline TEAP-00-000002' }).click()
    await page.getByText('Proposal declined.').waitFor()
    await page.getByText('No proposal is waiting.').waitFor()
    expect(visit.troubles).toEqual([expect.stringMatching(/^422 POST \/requirement_relocations\/\d+\/decline$/)])
  })

  it('shows a viewer the decisions on proposals, and why they cannot decide', async () => {
    const visit = await openAs(vera, `/components/${srgs.source.id}/relocations`)
    const { page } = visit
    await page.getByText(`Not ours: ${HOSTILE}`).waitFor()
    await page.getByText('One has to be an author of the component for that.').waitFor()
    for (const name of [/^Propose/, /^Withdraw it/, /^Accept/])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    await expectNoTroubles(visit)
  })
})
