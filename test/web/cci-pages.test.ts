// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../support/page-check.ts'
import { CCIS, cciList, storeCciList, storeOscal } from '../support/reference-data.ts'
import { STARTER } from '../support/service.ts'
import { sampleRules } from '../support/xccdf-document.ts'

const loaded = guidanceService({}, undefined, STARTER)
const bare = guidanceService({}, undefined, STARTER)

const PRODUCTS = 12
const HOSTILE = '<img src=x onerror=alert(1)> &lt;b&gt;'
/** In no release of the ontology that tests have; the list gives it a definition. */
const SIBLING = { id: 'CCI-000016', places: { 5: 'AC-2 (1)' } }
const UNTOLD = { id: 'CCI-000001', places: { 3: 'AC-1 a 1', 5: 'AC-1 a 1 (a)' } }

async function ask(
  under: ReturnType<typeof loaded>,
  path: string,
  accept = 'text/html',
): Promise<readonly [number, string]> {
  const answer = await fetch(under.service.baseUrl + path, { headers: { accept }, redirect: 'manual' })
  await answer.text()
  return [answer.status, (answer.headers.get('content-type') ?? '').replace(/;.*/, '')]
}

let stig = 0

beforeAll(async () => {
  if (!browserFound) return
  for (const under of [loaded(), bare()]) {
    const rules = sampleRules(30).map((rule) => ({ ...rule, cci: ['CCI-000015', 'CCI-000001'] }))
    stig = await store(under, { rules: rules.map((rule, index) => (index === 0 ? { ...rule, title: HOSTILE } : rule)) })
  }
  for (let index = 0; index < PRODUCTS; index += 1)
    await store(loaded(), { id: `Cup_${index}_STIG`, title: `Cup ${index} STIG`, rules: 4 })
  await storeCciList(loaded().service.guidance.database, cciList([...CCIS, UNTOLD, SIBLING, { id: 'CCI-009999' }]))
  await storeOscal(loaded().service.guidance.database)
})

describe.runIf(browserFound)('The page of a CCI', () => {
  const surf = chromiumBrowser()
  async function open(path: string, under = loaded()): Promise<Visit> {
    return (await surf(under.service.baseUrl)).open(path)
  }

  it('shows everybody its definition, controls, rules and techniques', async () => {
    const visit = await open('/ccis/CCI-000015')
    const { page } = visit
    await page.getByRole('heading', { name: 'CCI-000015', level: 1 }).waitFor()
    await page.getByText('What CCI-000015 asks for.').waitFor()
    await page.getByText(/From .* version 2026-01-05/).waitFor()
    const revisions = page.getByRole('region', { name: 'Controls by revision' })
    expect(await revisions.getByRole('rowheader').allInnerTexts()).toEqual(['Revision 5', 'Revision 4', 'Revision 3'])
    await page.getByText('30 rules of 1 product').waitFor()
    await page.getByText(HOSTILE).waitFor()
    const techniques = page.getByRole('region', { name: 'Related techniques' })
    await techniques.getByRole('row', { name: /^D3-AL Account Locking Evict broader/ }).waitFor()
    const tactic = await techniques.getByRole('link', { name: 'Evict' }).first().getAttribute('href')
    expect(tactic).toBe('/tactic/d3f:Evict/')
    const same = page.getByRole('navigation', { name: 'Same control' }).getByRole('link')
    await expect.poll(() => same.allTextContents()).toEqual(['CCI-000016'])
    await expectSound(visit)
    const rules = page.getByRole('region', { name: 'Rules by product' })
    await rules.getByRole('row', { name: 'Teapot STIG V1R1 30 rules CAT I 10 CAT II 10 CAT III 10' }).waitFor()
    await rules.getByRole('button', { name: /^Show 17 more/ }).click()
    expect(await rules.getByRole('link', { name: /^TEAP-/ }).count()).toBe(20)
    await rules.getByRole('link', { name: 'All 30 in Teapot STIG' }).waitFor()
    await page.getByRole('link', { name: 'Teapot STIG V1R1' }).click()
    await page.getByRole('status').filter({ hasText: '30 rules' }).waitFor()
    expect(page.url()).toMatch(/\/benchmarks\/Teapot_STIG\/V1R1\?filter=CCI-000015$/)
    await page.goBack()
    await revisions.getByRole('link').first().click()
    await page.getByRole('heading', { name: 'AC-2 (1) Automated Management', level: 1 }).waitFor()
    expect(page.url()).toMatch(/\/controls\/AC-2\(1\)$/)
  })

  it('shows many products in a readable form', async () => {
    const visit = await open('/ccis/cci-366')
    const { page } = visit
    await page.getByRole('heading', { name: 'CCI-000366', level: 1 }).waitFor()
    await page.getByText('Warm the pot.').waitFor()
    await page.getByText(`${4 * PRODUCTS} rules of ${PRODUCTS} products`).waitFor()
    expect(await page.getByRole('link', { name: /^Cup \d+ STIG/ }).count()).toBe(10)
    expect(await page.getByRole('region', { name: 'Rules by product' }).getByText('TEAP-').count()).toBe(30)
    await page.getByRole('button', { name: `Show all ${PRODUCTS} products` }).click()
    expect(await page.getByRole('link', { name: /^Cup \d+ STIG/ }).count()).toBe(PRODUCTS)
    await expectNoTroubles(visit)
  })

  it('has its sections, names, data and citation next to the text', async () => {
    const visit = await open('/ccis/CCI-000015')
    const { page } = visit
    const beside = page.getByRole('region', { name: 'About this page' })
    const contents = beside.getByRole('navigation', { name: 'On this page' })
    await contents.waitFor()
    expect(await contents.getByRole('link').allInnerTexts()).toEqual([
      'Controls',
      expect.stringMatching(/^Related techniques\s+[1-9]/),
      expect.stringMatching(/^Rules that cite it\s+30$/),
    ])
    await contents.getByRole('link', { name: /^Rules/ }).click()
    await expect.poll(() => page.url()).toMatch(/#rules$/)
    expect(await beside.getByRole('link', { name: 'JSON' }).getAttribute('href')).toBe(
      '/api/catalogue/ccis/CCI-000015.json',
    )
    const saved = page.waitForEvent('download')
    await beside.getByRole('button', { name: 'RDF' }).click()
    expect((await saved).suggestedFilename()).toBe('CCI-000015.ttl')
    await beside.getByRole('button', { name: 'Cite', exact: true }).click()
    const cite = page.getByRole('dialog', { name: 'Cite' })
    await cite.getByText(/^CCI-000015\. .*, version 2026-01-05\. http\S+\/ccis\/CCI-000015$/).waitFor()
    await expectSound(visit)
  })

  it('says that it refers to no control', async () => {
    const visit = await open('/ccis/CCI-009999')
    await visit.page.getByText('no control', { exact: true }).waitFor()
    await visit.page.getByText('It refers to no control.').waitFor()
    await expectNoTroubles(visit)
  })

  it('says that it is deprecated and has no reference to revision 5', async () => {
    const visit = await open('/ccis/CCI-000017')
    const { page } = visit
    await page.getByText('DISA has deprecated this CCI.').waitFor()
    await page.getByText('no revision 5').waitFor()
    await page.getByRole('row', { name: 'Revision 5 No reference in this list' }).waitFor()
    expect(await page.locator('header .badge').allInnerTexts()).toEqual(['deprecated', 'no revision 5'])
    await page.getByText('No rule of the newest releases cites it.').waitFor()
    await expectNoTroubles(visit)
  })

  it('says how to load a missing list, and shows the rest', async () => {
    const visit = await open('/ccis/CCI-000015', bare())
    const { page } = visit
    await page.getByText('npm run import -- U_CCI_List.xml').waitFor()
    await page.locator('#controls').getByRole('link', { name: 'AC-2 (1)', exact: true }).waitFor()
    await page.getByRole('row', { name: /^D3-AL Account Locking Evict broader/ }).waitFor()
    expect(await page.locator('main [role=alert]').count()).toBe(0)
    await expectNoTroubles(visit, ['404 GET /api/catalogue/ccis/CCI-000015.json'])
    await page.getByRole('link', { name: 'search for CCI-000015' }).click()
    await page.waitForURL('**/search?q=CCI-000015')
  })

  it('returns 404 for an unknown CCI, and RDF at its address', async () => {
    for (const under of [loaded(), bare()]) {
      expect(await ask(under, '/ccis/CCI-000015')).toEqual([200, 'text/html'])
      expect(await ask(under, '/controls/AC-2(1)')).toEqual([200, 'text/html'])
      for (const path of ['/ccis/CCI-999999', '/ccis/tea', '/controls/ZZ-99', '/controls/tea'])
        expect(await ask(under, path), path).toEqual([404, 'text/html'])
    }
    const accept = 'application/ld+json, text/html;q=0.5'
    expect(await ask(loaded(), '/ccis/CCI-000015', accept)).toEqual([200, 'application/ld+json'])
    expect(await ask(loaded(), '/ccis/CCI-000015', 'text/turtle')).toEqual([200, 'text/turtle'])
    const visit = await open('/ccis/CCI-999999')
    await visit.page.getByText('The CCI list 2026-01-05 has no CCI-999999.').waitFor()
    await expectNoTroubles(
      visit,
      visit.troubles.filter((trouble) => trouble.startsWith('404')),
    )
  })

  it('shows a definition at a rule that the ontology lacks', async () => {
    const visit = await open(`/stigs/${stig}?rule=SV-1000001`)
    const { page } = visit
    await page.getByText('What CCI-000001 asks for.').waitFor()
    await page.getByRole('link', { name: 'AC-2 (1)', exact: true }).waitFor()
    await page.getByRole('link', { name: 'CCI-000001', exact: true }).click()
    await page.getByRole('heading', { name: 'CCI-000001', level: 1 }).waitFor()
    await expectNoTroubles(visit)
    await page.goto(`${bare().service.baseUrl}/stigs/1?rule=SV-1000001`)
    await page.getByText('Neither the ontology nor a CCI list that is loaded has a text of it.').first().waitFor()
  })
})

describe.runIf(browserFound)('The page of a control', () => {
  const surf = chromiumBrowser()

  it('shows its text, its CCIs, and rules by product and severity', async () => {
    const visit = await (await surf(loaded().service.baseUrl)).open('/controls/AC-2(1)')
    const { page } = visit
    await page.getByRole('heading', { name: 'AC-2 (1) Automated Management', level: 1 }).waitFor()
    await page.getByText(/^Manage using/).waitFor()
    await page.getByRole('row', { name: /^CCI-000015 3, 4, 5/ }).waitFor()
    const rules = page.getByRole('region', { name: 'Rules by product' })
    await rules.getByRole('row', { name: 'All products 10 10 10' }).waitFor()
    expect(await page.locator('#rules').getByRole('link', { name: 'CSV' }).getAttribute('href')).toBe(
      '/api/catalogue/controls/AC-2(1).csv',
    )
    await page.getByRole('rowheader', { name: /^\[Assignment: .*automated mechanisms\] ac-02\.01_odp$/ }).waitFor()
    await rules.getByText('27 more').click()
    await page.getByText('Find the others in the product.').waitFor()
    await expectSound(visit)
    await page.locator('p', { hasText: 'It enhances' }).getByRole('link').click()
    await page.getByRole('heading', { name: 'AC-2 Account Management', level: 1 }).waitFor()
    await page.locator('summary', { hasText: 'Guidance' }).click()
    await page.getByText('Examples are shared accounts.').waitFor()
    expect(await page.locator('#enhancements').getByRole('link').allInnerTexts()).toEqual(['AC-2 (1)'])
    await page.getByText('the time is defined;').waitFor()
    await expectNoTroubles(visit)
  })

  it('says which list lacks the control, and that a control is withdrawn', async () => {
    const visit = await (await surf(loaded().service.baseUrl)).open('/controls/CM-6')
    const { page } = visit
    await page.getByText('No catalogue of controls that is loaded has CM-6.').waitFor()
    await page.getByRole('row', { name: 'All products 24 12 12' }).waitFor()
    await expectNoTroubles(visit)
    await page.goto(`${loaded().service.baseUrl}/controls/ac-13`)
    await page.getByText('NIST has withdrawn this control.').waitFor()
    await page.getByText('withdrawn', { exact: true }).waitFor()
    await page.getByText('The ontology links no technique to it.').waitFor()
    await expectNoTroubles(visit)
  })

  it('says how to load missing lists', async () => {
    const visit = await (await surf(bare().service.baseUrl)).open('/controls/AC-2')
    await visit.page.getByText('npm run import -- U_CCI_List.xml').waitFor()
    await visit.page.getByRole('row', { name: /^D3-AL Account Locking/ }).waitFor()
    await expectNoTroubles(visit, ['404 GET /api/catalogue/controls/AC-2.json'])
  })
})

describe.runIf(browserFound)('The page of a requirement', () => {
  const surf = chromiumBrowser()
  const REQUIREMENT = 'SRG-TEA-000077'

  beforeAll(async () => {
    const common = { cci: ['CCI-000015'], severity: 'high' } as const
    const inSrg = {
      ...common,
      id: 'SV-77r1_rule',
      version: REQUIREMENT,
      title: 'The pot must have a lid.',
      discussion: 'Steam escapes.',
      checks: ['Look for the lid.'],
      fix: 'Buy a lid.',
    }
    const inStig = {
      ...common,
      id: 'SV-78r1_rule',
      version: 'MUGS-77',
      requirement: REQUIREMENT,
      title: 'Lid the mug.',
    }
    await store(loaded(), { id: 'Lid_SRG', title: 'Lid Security Requirements Guide', kind: 'srg', rules: [inSrg] })
    await store(loaded(), { id: 'Mug_STIG', title: 'Mug STIG', rules: [inStig] })
    await store(bare(), { id: 'Mug_STIG', title: 'Mug STIG', rules: [inStig] })
  })

  it('shows its texts, its CCIs and controls, and the rules that meet it', async () => {
    const visit = await (await surf(loaded().service.baseUrl)).open(`/requirements/${REQUIREMENT}`)
    const { page } = visit
    for (const text of ['The pot must have a lid.', 'Steam escapes.', 'Look for the lid.', 'Buy a lid.'])
      await page.locator('main').getByText(text, { exact: true }).waitFor()
    await page.getByRole('row', { name: 'CCI-000015 AC-2 (1) What CCI-000015 asks for.' }).waitFor()
    const rules = page.getByRole('region', { name: 'Rules by product' })
    await rules.getByRole('row', { name: 'Mug STIG V1R1 1 rule CAT I 1 CAT II 0 CAT III 0' }).waitFor()
    expect(await rules.getByRole('link', { name: 'Lid SRG' }).count()).toBe(0)
    const beside = page.getByRole('region', { name: 'About this page' })
    expect(await beside.getByRole('link', { name: 'Lid SRG V1R1' }).getAttribute('href')).toBe(
      '/benchmarks/Lid_SRG/V1R1/rules/SV-77r1_rule',
    )
    await expectSound(visit)
    await rules.getByRole('link', { name: 'MUGS-77' }).click()
    await page.getByRole('heading', { name: 'Lid the mug.', level: 2 }).waitFor()
  })

  it('says that no SRG states it', async () => {
    const visit = await (await surf(bare().service.baseUrl)).open(`/requirements/${REQUIREMENT}`)
    await visit.page.getByText(`No SRG of this catalogue states ${REQUIREMENT}`).waitFor()
    await visit.page.getByRole('link', { name: 'MUGS-77' }).waitFor()
    await expectNoTroubles(visit)
  })
})
