// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { coverageReport } from '../../src/contracts/coverage.ts'
import { browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../support/page-check.ts'
import { STARTER } from '../support/service.ts'

const under = guidanceService({}, undefined, STARTER)

const LOCKING = { id: 'SV-700001r1_rule', title: 'Accounts must lock', cci: ['CCI-000044'] }

describe.runIf(browserFound)('The page of the coverage of an own list', () => {
  const surf = chromiumBrowser()
  /** An attack that Account Locking counters. */
  let covered = ''

  beforeAll(async () => {
    await store(under(), { id: 'Kettle_9_STIG', title: 'Kettle 9 STIG', rules: [LOCKING] })
    const { body } = await under().nobody.call('GET', '/api/coverage.json?stig=Kettle_9_STIG')
    const [first] = coverageReport.parse(body).offensive_techniques
    covered = first?.attack_id ?? ''
  })

  async function open(): Promise<Visit> {
    const visit = await (await surf(under().service.baseUrl)).open('/coverage')
    await visit.page.getByRole('link', { name: 'Your own list' }).click()
    await visit.page.getByRole('heading', { name: 'Coverage of your own list' }).waitFor()
    return visit
  }

  it('shows by keyboard what covers pasted ids, and unknown ones with their line', async () => {
    const visit = await open()
    const { page } = visit
    await expectSound(visit)
    const field = page.getByLabel('Attacks or techniques that you have', { exact: true })
    await field.fill(`${covered}, D3-AL\n<b>T9999</b>`)
    await page.getByRole('button', { name: 'Show coverage' }).press('Enter')
    const attacks = page.getByRole('region', { name: 'ATT&CK Enterprise' })
    expect(await attacks.getByRole('row').last().textContent()).toMatch(/T.*✓ covered.*AccountLocking/)
    const problem = page.getByRole('listitem').filter({ hasText: 'line 2:' })
    expect(await problem.textContent()).toMatch(/<b>T9999<\/b>.*has no attack or technique of this name/)
    const guidance = page.getByRole('region', { name: 'Guidance that is linked' })
    expect(await guidance.getByRole('row').last().textContent()).toMatch(/Kettle 9/)
    expect(new URL(page.url()).search).toBe('')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'JSON' }).press('Enter')
    expect((await download).suggestedFilename()).toBe('coverage-of-list.json')
    await expectNoTroubles(visit)
  })

  it('reads a layer from a file, compares it with a second list, and reports errors of a file', async () => {
    const visit = await open()
    const { page } = visit
    const layer = { domain: 'enterprise-attack', versions: {}, techniques: [{ techniqueID: 'T1110' }] }
    const input = page.getByLabel('Attacks or techniques that you have: a file')
    await input.setInputFiles({ name: 'latin.csv', mimeType: 'text/csv', buffer: Buffer.from([0xe9, 0x0a]) })
    await page.getByText('latin.csv cannot be read: it is not UTF-8 text.').waitFor()
    await input.setInputFiles({ name: 'layer.json', mimeType: '', buffer: Buffer.from(JSON.stringify(layer)) })
    await page.getByText('Compare with a second list').click()
    await page.getByLabel('Second list', { exact: true }).fill('{"attacks": [')
    await page.getByRole('button', { name: 'Show coverage' }).click()
    await page.getByText('The second list is not valid JSON').waitFor()
    await page.getByLabel('Second list', { exact: true }).fill('D3-AL')
    await page.getByRole('button', { name: 'Show coverage' }).click()
    await page.getByText('− Techniques that only the second list names: 1').waitFor()
    await expectNoTroubles(visit)
  })
})
