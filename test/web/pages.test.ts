// @module-tag long

import { describe, expect, it } from 'vitest'
import { accessibilityFaults, browserFound, pageOpener } from '../support/browser.ts'
import { expectSound } from '../support/page-check.ts'
import { starterService } from '../support/service.ts'

const service = starterService()

describe.runIf(browserFound)('The browser pages', () => {
  const open = pageOpener(() => service().baseUrl)

  it('begin with the search, the parts of the reference with their counts, and the addresses for programs', async () => {
    const visit = await open('/')
    const { page } = visit
    await page.getByRole('heading', { name: 'Cyber defenses, attacks and STIG rules, linked', level: 1 }).waitFor()
    const doors = page.locator('.door')
    await doors.first().getByRole('link', { name: 'Harden' }).waitFor()
    expect(await doors.first().getByRole('listitem').count()).toBe(7)
    await doors.nth(1).getByRole('link', { name: 'Credential Access' }).waitFor()
    await doors.nth(2).getByText('There is no STIG or SRG here yet.').waitFor()
    expect(await page.getByText(`curl ${service().baseUrl}/api/matrix.json`).count()).toBe(1)
    expect(await page.getByRole('combobox', { name: 'Search' }).count()).toBe(1)
    await expectSound(visit)
    await page.getByRole('link', { name: 'T1110', exact: true }).click()
    await page.getByRole('heading', { name: /^Results for .T1110/, level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Brute Force' }).first().waitFor()
    await page.goBack()
    await doors.nth(1).getByRole('link', { name: 'Credential Access' }).click()
    await page.getByRole('heading', { name: 'Attacks', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Brute Force', exact: true }).click()
    await page.getByRole('heading', { name: 'Brute Force', level: 1 }).waitFor()
  })

  it('explain a code at its anchor', async () => {
    const { page, troubles } = await open('/docs/api/errors#subject_not_found')
    expect(await page.locator('#subject_not_found').textContent()).toContain('404')
    expect(troubles).toEqual([])
  })

  it('have no accessibility violation in the list of errors', async () => {
    const { page } = await open('/docs/api/errors')
    await page.waitForLoadState('networkidle')
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
