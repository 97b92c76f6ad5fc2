// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coverageReport } from '../../src/contracts/coverage.ts'
import { browserFound, pageOpener } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { startGuidance, type GuidanceUnderTest } from '../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../support/page-check.ts'
import { ingestInto, STARTER } from '../support/service.ts'

const LOCKING = { id: 'SV-700001r1_rule', title: 'Accounts must lock', cci: ['CCI-000044'] }
const WITHOUT_CONTROLS = [
  'artifacts',
  'offensive',
  'references',
  'tactics-and-techniques',
  'vocabulary',
  'weaknesses',
].map((name) => `data/ontology/${name}.ttl`)
const OLD = '0.1.0'
const NEW = '9.0.0'

/** Two releases: an older one that links CCIs to techniques, and the active one, which links none. */
describe.runIf(browserFound)('The release that is chosen', () => {
  const open = pageOpener(() => under.service.baseUrl)
  let dataDir = ''
  let under: GuidanceUnderTest
  let stig = 0

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
    await ingestInto(dataDir, STARTER, { version: OLD, date: '2024-01-01' })
    await ingestInto(dataDir, WITHOUT_CONTROLS, { version: NEW, date: '2030-01-01' })
    under = await startGuidance(dataDir)
    const head = { id: 'Samovar_9_STIG', title: 'Samovar 9 STIG' }
    stig = await store(under, { ...head, rules: [LOCKING] })
    await under.person('Ada')
  })
  afterAll(async () => {
    await under.service.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function report(query: string): Promise<ReturnType<typeof coverageReport.parse>> {
    const { body } = await under.nobody.call('GET', `/api/coverage.json?stig=${stig}${query}`)
    return coverageReport.parse(body)
  }

  it('applies to the coverage; one without linked CCIs names those with them', async () => {
    const active = await report('')
    expect(active.ontology).toMatchObject({ version: NEW, cci_count: 0 })
    expect(active.linking_releases).toEqual([OLD])
    expect(active.note).toContain(`These releases do: ${OLD}.`)
    const chosen = await report(`&release=${OLD}`)
    expect(chosen.ontology.version).toBe(OLD)
    expect([chosen.note, chosen.linking_releases]).toEqual([null, []])
    expect(chosen.summary.rules.linked).toBe(1)
    const unknown = await under.nobody.call('GET', `/api/coverage.json?stig=${stig}&release=7`)
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: 'release_not_found' }])
  })

  it('applies to the techniques of rules, and to the rules of a technique', async () => {
    const versions = []
    for (const path of [`/api/stigs/${stig}/countermeasures.json`, '/api/technique/d3f:AccountLocking/guidance.json'])
      for (const query of ['', `?release=${OLD}`]) {
        const { body } = await under.nobody.call('GET', path + query)
        versions.push(body)
      }
    expect(versions).toMatchObject([
      { ontology: { version: NEW }, linked_rule_count: 0 },
      { ontology: { version: OLD }, linked_rule_count: 1 },
      { ontology: { version: NEW }, pagination: { total: 0 } },
      { ontology: { version: OLD }, pagination: { total: 1 } },
    ])
  })

  it('is next to the title of its pages, and stays from link to link', async () => {
    const visit = await open(`/coverage?stig=${stig}`)
    const { page } = visit
    const picker = page.getByLabel('Release of the ontology')
    const note = page.getByText('links no CCI to a technique, so that no rule is counted.')
    await note.waitFor()
    await expect.poll(() => picker.inputValue()).toBe(NEW)
    await expectSound(visit)
    await note.getByRole('link', { name: OLD }).click()
    await page.getByText('1 of 1 rules are linked to').waitFor()
    await expect.poll(() => picker.inputValue()).toBe(OLD)
    await page.getByRole('link', { name: /^Account Locking/ }).click()
    await page
      .locator('#opened')
      .getByRole('listitem')
      .filter({ hasText: LOCKING.id })
      .getByRole('link', { name: 'Account Locking' })
      .click()
    await page.getByRole('heading', { name: 'Account Locking', level: 1 }).waitFor()
    await expect.poll(() => picker.inputValue()).toBe(OLD)
    const rule = page
      .getByRole('row', { name: /Accounts must lock/ })
      .getByRole('link')
      .first()
    expect(await rule.getAttribute('href')).toContain(`release=${OLD}`)
    await page.getByRole('link', { name: 'Defenses', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Defenses', level: 1 }).waitFor()
    await expect.poll(() => picker.inputValue()).toBe(OLD)
  })

  it('is not shown in the search, which names the active release, but its links keep it', async () => {
    const visit = await open(`/matrix?release=${OLD}`)
    const { page } = visit
    await page.getByRole('heading', { level: 1 }).waitFor()
    const box = page.getByRole('combobox', { name: 'Search' })
    await box.fill('account locking')
    await box.press('Enter')
    await page.getByText(`The search answers from the active release, D3FEND ${NEW}.`).waitFor()
    expect(new URL(page.url()).searchParams.get('release')).toBe(OLD)
    expect(await page.getByLabel('Release of the ontology').count()).toBe(0)
    await expectNoTroubles(visit)
    await page.getByRole('link', { name: 'Account Locking', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Account Locking', level: 1 }).waitFor()
    await expect.poll(() => page.getByLabel('Release of the ontology').inputValue()).toBe(OLD)
  })

  it('is not shown on pages without data of the ontology', async () => {
    const { page } = await open(`/stigs?release=${OLD}`)
    await page.getByRole('link', { name: /^Samovar/ }).waitFor()
    expect(await page.getByLabel('Release of the ontology').count()).toBe(0)
  })
})
