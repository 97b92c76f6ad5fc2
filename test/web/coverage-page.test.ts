// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { makeComponent } from '../support/authoring.ts'
import { browserFound, fillInSignIn, pageOpener } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService, PASSWORD } from '../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../support/page-check.ts'
import { STARTER } from '../support/service.ts'

const under = guidanceService({}, undefined, STARTER)

const LOCKING = { id: 'SV-700001r1_rule', title: '<b>Accounts</b> must lock', cci: ['CCI-000044'] }
const OTHER = { id: 'SV-700002r1_rule', title: 'Time must be kept', cci: ['CCI-999999'] }

describe.runIf(browserFound)('The coverage page', () => {
  const open = pageOpener(() => under().service.baseUrl)
  let first = 0
  let second = 0

  beforeAll(async () => {
    const head = { id: 'Samovar_9_STIG', title: 'Samovar 9 STIG' }
    first = await store(under(), { ...head, rules: [OTHER] })
    second = await store(under(), { ...head, release: '2', rules: [LOCKING, OTHER] })
  })

  it('says what to do if nothing is chosen', async () => {
    const visit = await open('/coverage')
    await visit.page.getByText('Choose guidance under').waitFor()
    await visit.page.getByText('to choose older ones').waitFor()
    await expectNoTroubles(visit)
  })

  it('adds documents from a filtered list by keyboard, and puts them into the address', async () => {
    const visit = await open('/coverage')
    const { page } = visit
    const guidance = page.getByRole('group', { name: 'Guidance' })
    await guidance.getByLabel('Find a STIG, an SRG').fill('nothing')
    await guidance.getByText('0 to choose from').waitFor()
    await guidance.getByLabel('Find a STIG, an SRG').fill('samovar v1')
    await guidance.getByRole('button', { name: /Add.*Samovar 9 STIG V1R2/ }).press('Enter')
    await page.getByText('1 of 2 rules are linked to').waitFor()
    expect(page.url()).toBe(`${under().service.baseUrl}/coverage?stig=${second}`)
    await guidance.getByRole('button', { name: /Remove.*Samovar 9 STIG V1R2/ }).press('Enter')
    await page.getByText('Choose guidance under').waitFor()
    await page.goBack()
    await page.getByText('1 of 2 rules are linked to').waitFor()
    expect(visit.troubles).toEqual([])
  })

  it('shows the matrix for an address, the rules of a cell with their path, and the comparison', async () => {
    const visit = await open(`/coverage?stig=${second}&against_stig=${first}`)
    const { page } = visit
    await page.getByText('1 of 2 rules are linked to').waitFor()
    await page
      .getByRole('region', { name: 'D3FEND matrix' })
      .getByRole('link', { name: /^Account Locking.*1 rule.*\+ not in the other set/ })
      .click()
    await page.getByRole('heading', { name: 'Account Locking', level: 2 }).waitFor()
    expect(new URL(page.url()).searchParams.get('open')).toBe('d3f:AccountLocking')
    const header = await page.locator('.shell-header').boundingBox()
    const heading = page.getByRole('heading', { name: 'Account Locking', level: 2 })
    const top = async (): Promise<number> => (await heading.boundingBox())?.y ?? -1
    await expect.poll(top).toBeGreaterThan(header?.height ?? 0)
    expect(await top()).toBeLessThan(200)
    const row = page.locator('#opened').getByRole('listitem').filter({ hasText: LOCKING.id })
    expect(await row.textContent()).toMatch(/<b>Accounts<\/b>.*CCI-000044.*narrower.*Account Locking/)
    const rule = row.getByRole('link', { name: LOCKING.id })
    expect(await rule.getAttribute('href')).toBe(`/benchmarks/Samovar_9_STIG/V1R2/rules/${LOCKING.id}`)
    const matrix = await page.getByRole('region', { name: 'D3FEND matrix' }).boundingBox()
    expect(matrix?.y).toBeLessThan(150)
    await page.getByText('+ Techniques that only the chosen set is linked to').waitFor()
    await page.getByText('Export', { exact: true }).click()
    const layer = page.getByRole('link', { name: 'Navigator layer' })
    const href = (await layer.getAttribute('href')) ?? ''
    expect((await under().nobody.call('GET', href)).status).toBe(200)
    await page.getByText('Export', { exact: true }).click()
    await expectSound(visit)
    await page.getByLabel('Exact or narrower only').check()
    await expect.poll(() => page.url()).toContain('relation=exactly,narrower')
    await page.getByRole('link', { name: /^Account Locking.*1 rule/ }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'ATT&CK', exact: true }).click()
    await page.getByRole('region', { name: 'ATT&CK matrix' }).waitFor()
    await expectNoTroubles(visit)
    await page.goBack()
    await page.getByRole('heading', { name: 'Account Locking', level: 2 }).waitFor()
  })

  it('offers projects and components to those who may read them', async () => {
    const ada = await under().person('Ada')
    const owner = await under().signIn('ada@example.org')
    const projectId = await under().project(owner, { name: 'Kettles' })
    const { id } = await makeComponent(under(), ada, { projectId })
    const visit = await open('/users/sign_in?return_to=%2Fcoverage')
    const { page } = visit
    await fillInSignIn(page, 'ada@example.org', PASSWORD)
    const guidance = page.getByRole('group', { name: 'Guidance' })
    await guidance.getByRole('button', { name: /Add.*Kettles.*project/ }).click()
    await page.getByText('0 of 0 rules are linked to').waitFor()
    await guidance.locator('summary').click()
    await guidance.getByRole('button', { name: /Add.*component/ }).click()
    await expect.poll(() => page.url()).toContain(`project=${projectId}&component=${id}`)
    await expectSound(visit)
  })

  it('reports unknown documents in a sentence', async () => {
    const visit = await open('/coverage?stig=Nothing')
    await visit.page.getByText('there is no Nothing').waitFor()
    await expectNoTroubles(visit, ['400 GET /api/coverage.json'])
  })
})
