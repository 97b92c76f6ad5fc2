// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectSound } from '../support/page-check.ts'
import { CCIS, cciList, storeCciList, storeOscal } from '../support/reference-data.ts'
import { STARTER } from '../support/service.ts'
import { sampleRules } from '../support/xccdf-document.ts'

const loaded = guidanceService({}, undefined, STARTER)
const bare = guidanceService({}, undefined, STARTER)

const PRODUCTS = 12
const HOSTILE = '<img src=x onerror=alert(1)> &lt;b&gt;'
/** In no release of the ontology that tests have; the list gives it a definition. */
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
    stig = await store(under, { rules: rules.map((rule, at) => (at === 0 ? { ...rule, title: HOSTILE } : rule)) })
  }
  for (let at = 0; at < PRODUCTS; at += 1)
    await store(loaded(), { id: `Cup_${at}_STIG`, title: `Cup ${at} STIG`, rules: 4 })
  await storeCciList(loaded().service.guidance.database, cciList([...CCIS, UNTOLD]))
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
    const techniques = page.getByRole('region', { name: 'Linked techniques' })
    await techniques.getByRole('row', { name: /^D3-AL Account Locking broader/ }).waitFor()
    await expectSound(visit)
    await page.getByRole('link', { name: 'Teapot STIG V1R1' }).click()
    await page.getByRole('status').filter({ hasText: '30 rules' }).waitFor()
    expect(page.url()).toMatch(/\/benchmarks\/Teapot_STIG\/V1R1\?filter=CCI-000015$/)
    await page.goBack()
    await revisions.getByRole('link').first().click()
    await page.getByRole('heading', { name: 'AC-2 (1) Automated Management', level: 1 }).waitFor()
    expect(page.url()).toMatch(/\/controls\/AC-2\(1\)$/)
  })

  it('keeps many products readable', async () => {
    const visit = await open('/ccis/cci-366')
    const { page } = visit
    await page.getByRole('heading', { name: 'CCI-000366', level: 1 }).waitFor()
    await page.getByText('Warm the pot.').waitFor()
    await page.getByText(`${4 * PRODUCTS} rules of ${PRODUCTS} products`).waitFor()
    expect(await page.getByRole('link', { name: /^Cup \d+ STIG/ }).count()).toBe(10)
    expect(await page.locator('main li li').count()).toBe(30)
    await page.getByRole('button', { name: `Show all ${PRODUCTS} products` }).click()
    expect(await page.getByRole('link', { name: /^Cup \d+ STIG/ }).count()).toBe(PRODUCTS)
    await expectSound(visit)
  })

  it('says that it is deprecated and has no reference to revision 5', async () => {
    const visit = await open('/ccis/CCI-000017')
    const { page } = visit
    await page.getByText('DISA has deprecated this CCI.').waitFor()
    await page.getByText('It does not refer to revision 5 of NIST SP 800-53.').waitFor()
    await page.getByText('No rule of the newest releases cites it.').waitFor()
    await expectSound(visit)
  })

  it('says how the list is loaded where it is not, and shows the rest', async () => {
    const visit = await open('/ccis/CCI-000015', bare())
    const { page } = visit
    await page.getByText('npm run import -- U_CCI_List.xml').waitFor()
    await page.getByRole('link', { name: 'AC-2 (1)', exact: true }).waitFor()
    await page.getByRole('row', { name: /^D3-AL Account Locking broader/ }).waitFor()
    expect(await page.locator('main [role=alert]').count()).toBe(0)
    await expectSound(visit, ['404 GET /api/catalogue/ccis/CCI-000015.json'])
    await page.getByRole('link', { name: 'search for CCI-000015' }).click()
    await page.waitForURL('**/search?q=CCI-000015')
  })

  it('is sent with 404 for an unknown CCI, and leaves its address to RDF', async () => {
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
    await expectSound(
      visit,
      visit.troubles.filter((one) => one.startsWith('404')),
    )
  })

  it('gives a rule the definition that the ontology does not have', async () => {
    const visit = await open(`/stigs/${stig}?rule=SV-1000001`)
    const { page } = visit
    await page.getByText('What CCI-000001 asks for.').waitFor()
    await page.getByRole('link', { name: 'AC-2 (1)', exact: true }).waitFor()
    await page.getByRole('link', { name: 'CCI-000001', exact: true }).click()
    await page.getByRole('heading', { name: 'CCI-000001', level: 1 }).waitFor()
    await expectSound(visit)
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
    await rules.getByText('27 more').click()
    await page.getByText('Find the others in the product.').waitFor()
    await expectSound(visit)
    await page.locator('p', { hasText: 'It enhances' }).getByRole('link').click()
    await page.getByRole('heading', { name: 'AC-2 Account Management', level: 1 }).waitFor()
    await page.locator('summary', { hasText: 'Guidance' }).click()
    await page.getByText('Examples are shared accounts.').waitFor()
    await expectSound(visit)
  })

  it('says which list lacks what, and that a control is withdrawn', async () => {
    const visit = await (await surf(loaded().service.baseUrl)).open('/controls/CM-6')
    const { page } = visit
    await page.getByText('No catalogue of controls that is loaded has CM-6.').waitFor()
    await page.getByRole('row', { name: 'All products 24 12 12' }).waitFor()
    await expectSound(visit)
    await page.goto(`${loaded().service.baseUrl}/controls/ac-13`)
    await page.getByText('NIST has withdrawn this control.').waitFor()
    await page.getByText('The ontology links no technique to it.').waitFor()
    await expectSound(visit)
  })

  it('says how the lists are loaded where they are not', async () => {
    const visit = await (await surf(bare().service.baseUrl)).open('/controls/AC-2')
    await visit.page.getByText('npm run import -- U_CCI_List.xml').waitFor()
    await visit.page.getByRole('row', { name: /^D3-AL Account Locking/ }).waitFor()
    await expectSound(visit, ['404 GET /api/catalogue/controls/AC-2.json'])
  })
})
