// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { openSignedIn } from '../support/author-window.ts'
import { makeComponent } from '../support/authoring.ts'
import { browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService, type Person } from '../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../support/page-check.ts'
import { STARTER } from '../support/service.ts'
import { sampleRules, xccdfDocument } from '../support/xccdf-document.ts'
import { zipOf } from '../support/zip.ts'

const guidance = guidanceService({}, undefined, STARTER)
const RULES = 1000
/** How what lies behind a table moves with it. */
const LAYERS = 'getComputedStyle(document.querySelector(".table-frame")).backgroundAttachment.split(", ")'
const HOSTILE = '<img src=x onerror=alert(1)> \u202Edil eht'

describe.runIf(browserFound)('The pages of the catalogue', () => {
  const surf = chromiumBrowser()
  let stig = 0
  let srg = 0
  let root: Person

  beforeAll(async () => {
    const [first, second, ...others] = sampleRules(RULES).map((rule) => ({ ...rule }))
    if (first === undefined || second === undefined) throw new Error('There are no rules')
    const rules = [
      { ...first, title: HOSTILE, cci: ['CCI-000015'], discussion: 'x'.repeat(30_000) },
      { ...second, checks: ['Look at the samovar.\n\n  $ ls -l /samovar'] },
      ...others,
    ]
    await store(guidance(), { release: '1', date: '05 Jan 2025' })
    stig = await store(guidance(), { release: '2', rules })
    srg = await store(guidance(), { id: 'Tea_SRG', title: 'Tea SRG', kind: 'srg' })
    await guidance().person('Ada')
    root = await guidance().person('Root', { admin: true })
  })

  /** Somebody who comes to a page without having signed in, and does. */
  async function open(path: string, email = 'ada@example.org'): Promise<Visit> {
    return openSignedIn(await surf(guidance().service.baseUrl), email, path)
  }

  it('can be read by everybody, rule by rule', async () => {
    const visit = await (await surf(guidance().service.baseUrl)).open('/stigs')
    const { page } = visit
    await page.getByRole('link', { name: /^Teapot/ }).waitFor()
    await expectSound(visit)
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('coffee')
    await page.getByText('Nothing matches.').waitFor()
    await expect.poll(() => page.url()).toMatch(/\/guidance\?kind=stig&filter=coffee$/)
    await page.goto(`${guidance().service.baseUrl}/stigs/${stig}`)
    await page.getByRole('heading', { name: /^Teapot/, level: 1 }).waitFor()
    await expect.poll(() => page.url()).toMatch(/\/benchmarks\/Teapot_STIG\/V1R2$/)
    await expect.poll(() => page.getByLabel('Release', { exact: true }).inputValue()).toBe('V1R2')
    await page.locator('section[aria-label=Rules] li').first().getByRole('link').click()
    await page.getByRole('heading', { name: HOSTILE, level: 2 }).waitFor()
    await page.getByRole('link', { name: 'Account Locking' }).waitFor()
    await page.getByText('Same requirement elsewhere').waitFor()
    await page.getByRole('button', { name: 'Compare releases' }).click()
    await page.getByText('the oldest that is compared').waitFor()
    expect(await page.locator('main').getByRole('link', { name: 'Sign in' }).count()).toBe(0)
    await expectSound(visit)
    await page.getByText('Export').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'XCCDF (XML)' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Teapot_STIG-V1R2.xml')
  })

  it('are sent with 404 for an unknown benchmark to everybody, while the API requires a sign-in', async () => {
    const statusOf = async (path: string, accept: string): Promise<number> => {
      const answer = await fetch(guidance().service.baseUrl + path, { headers: { accept } })
      await answer.text()
      return answer.status
    }
    expect(await statusOf(`/stigs/${stig}`, 'text/html')).toBe(200)
    expect(await statusOf(`/srgs/${srg}/`, 'text/html')).toBe(200)
    for (const path of [`/srgs/${stig}`, '/stigs/99999', '/stigs/tea', '/stigs/1e3', '/stigs/-1'])
      expect(await statusOf(path, 'text/html'), path).toBe(404)
    expect(await statusOf(`/stigs/${stig}/compare/${stig}`, 'text/html')).toBe(200)
    for (const other of ['99999', srg, 'tea'])
      expect(await statusOf(`/stigs/${stig}/compare/${other}`, 'text/html'), `${other}`).toBe(404)
    expect(await statusOf(`/srgs/99999/compare/${srg}`, 'text/html')).toBe(404)
    expect(await statusOf('/stigs/99999', 'application/json')).toBe(401)
  })

  it('are the target of browsers that request the IRI of a record', async () => {
    const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const leadsTo = async (path: string, accept = BROWSER): Promise<readonly unknown[]> => {
      const url = guidance().service.baseUrl + path
      const answer = await fetch(url, { headers: { accept }, redirect: 'manual' })
      return [answer.status, answer.headers.get('location'), answer.headers.get('vary')]
    }
    const first = '/benchmarks/Teapot_STIG/V1R2'
    const IRIS = [
      ['/benchmarks/xccdf_mil.disa.stig_benchmark_Teapot_STIG', first],
      ['/benchmarks/Tea_SRG', '/benchmarks/Tea_SRG/V1R1'],
    ] as const
    for (const [path, to] of IRIS) expect(await leadsTo(path), path).toEqual([303, to, 'Accept'])
    const PAGES = [
      first,
      `${first}/rules/SV-1000001r1_rule`,
      `${first}/rules/V-1000001`,
      '/requirements/SRG-TEA-000001',
    ]
    for (const path of PAGES) expect(await leadsTo(path), path).toEqual([200, null, 'Accept, Accept-Encoding'])
    const NONE = [
      '/benchmarks/Teapot_STIG/V9R9',
      `${first}/rules/SV-1%2F2_rule`,
      '/requirements/SRG-9',
      '/benchmarks/None',
    ]
    for (const path of NONE) expect(await leadsTo(path), path).toEqual([404, null, 'Accept'])
    expect(await leadsTo(first, 'application/ld+json, text/html;q=0.5')).toContain(200)
    expect(await leadsTo(first, 'application/json')).toContain(200)
  })

  it('show earlier releases and counts', async () => {
    const visit = await open('/guidance?kind=stig')
    const { page } = visit
    await page.getByRole('link', { name: /^334 high/ }).waitFor()
    expect(await page.locator('main').getByRole('row').count()).toBe(2)
    await page.getByLabel('Earlier releases too').check()
    await expect.poll(() => page.url()).toMatch(/\/guidance\?kind=stig&releases=all$/)
    await expect.poll(() => page.locator('main').getByRole('row').count()).toBe(3)
    await expectNoTroubles(visit)
    // On a phone, the edge of a table is shaded where there is more of it, and where there is not, it is covered.
    const layers = (): Promise<unknown> => page.evaluate(LAYERS)
    expect(await layers()).toEqual(['scroll'])
    await page.setViewportSize({ width: 360, height: 700 })
    expect(await layers()).toEqual(['local', 'local', 'scroll', 'scroll'])
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('link', { name: /^334 high/ }).click()
    await page.getByText(`334 of ${RULES} rules`).waitFor()
  })

  it('show a thousand rules, render only visible ones, and search in them', async () => {
    const visit = await open(`/stigs/${stig}`)
    const { page } = visit
    const items = page.locator('section[aria-label=Rules] li')
    await items.first().waitFor()
    expect(await items.count()).toBeLessThan(60)
    await expectNoTroubles(visit)
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('SAMOVAR')
    await page.getByText(`1 of ${RULES} rules`).waitFor()
    await expect.poll(() => page.url()).toContain('V1R2?filter=SAMOVAR')
    await items.getByRole('link').click()
    await page.getByText('$ ls -l /samovar').waitFor()
    await page.reload()
    await page.getByText('$ ls -l /samovar').waitFor()
    await page.goBack()
    await page.getByText('Choose a rule').waitFor()
    await expect.poll(() => items.count()).toBe(1)
  })

  it('mark the rules that are changed or new since the release before, and show these alone', async () => {
    const visit = await open(`/stigs/${stig}`)
    const { page } = visit
    const list = page.getByRole('region', { name: 'Rules', exact: true })
    await list.getByRole('button', { name: 'Changed since V1R1' }).click()
    await list.getByRole('button', { name: 'Changed since V1R1 2' }).waitFor()
    await list.getByText(`2 of ${RULES} rules`).waitFor()
    expect(await list.getByText('changed', { exact: true }).count()).toBe(2)
    expect(new URL(page.url()).searchParams.get('change')).toBe('changed')
    await expectNoTroubles(visit)
    await list.getByRole('button', { name: /^New / }).click()
    await list.getByText('new', { exact: true }).first().waitFor()
    await page.reload()
    const added = list.getByRole('button', { name: /^New \d/, pressed: true })
    await added.click()
    await list.getByText(`${RULES} rules`, { exact: true }).waitFor()
  })

  it('open a rule by its address, with its links, and the next one by keyboard', async () => {
    const visit = await open(`/stigs/${stig}?rule=SV-1000001`)
    const { page } = visit
    await page.getByRole('heading', { name: HOSTILE, level: 2 }).waitFor()
    await page.getByRole('link', { name: 'Account Locking' }).waitFor()
    await page.getByText('Automation of account administration.').waitFor()
    await page.getByText('CCI-000015 (AC-2 (1)) → broader').first().waitFor()
    await expectSound(visit)
    await page.keyboard.press('j')
    await page.getByText('$ ls -l /samovar').waitFor()
    expect(page.url()).toMatch(/\/benchmarks\/Teapot_STIG\/V1R2\/rules\/SV-1000002r1_rule$/)
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: HOSTILE, level: 2 }).waitFor()
    await page.goto(`${guidance().service.baseUrl}/stigs/${stig}?rule=SV-1000900r1_rule`)
    await page.locator('section[aria-label=Rules] a[aria-current=true]').waitFor()
    await page.getByText(`900 of ${RULES}`).waitFor()
    await page.setViewportSize({ width: 400, height: 700 })
    expect(await page.locator('section[aria-label=Rules]').isVisible()).toBe(false)
    await page.getByRole('link', { name: 'All rules' }).click()
    await page.locator('section[aria-label=Rules] li').first().waitFor()
    expect(await page.evaluate('document.images.length')).toBe(0)
  })

  it('begin the next rule at its title from any scroll position', async () => {
    const { page } = await open(`/stigs/${stig}?rule=SV-1000001`)
    const title = page.locator('section[aria-label=Rule] h2')
    // Keys lead along the list.
    await page.locator('section[aria-label=Rules] a[aria-current=true]').waitFor()
    await page.getByRole('heading', { name: HOSTILE, level: 2 }).waitFor()
    for (const key of ['j', 'k']) {
      const before = await title.textContent()
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await page.keyboard.press(key)
      await expect.poll(() => title.textContent()).not.toBe(before)
      const header = await page.locator('.shell-header').boundingBox()
      const top = async (): Promise<number> => (await title.boundingBox())?.y ?? -1
      await expect.poll(top).toBeGreaterThan(header?.height ?? 0)
      expect(await top()).toBeLessThan(300)
    }
  })

  it('compare a release with another one word by word, and show the history of a rule', async () => {
    const visit = await open(`/stigs/${stig}?rule=SV-1000001`)
    const { page } = visit
    await page.getByRole('link', { name: 'Tea SRG V1R1' }).waitFor()
    await page.getByRole('button', { name: 'Compare releases' }).click()
    await page.getByText('the oldest that is compared').waitFor()
    await page.locator('summary', { hasText: 'Title' }).click()
    expect(await page.locator('details[open] ins').allTextContents()).toEqual([HOSTILE])
    await expectNoTroubles(visit)
    await page.getByRole('link', { name: 'Compare releases' }).click()
    await page.getByRole('link', { name: 'New 998' }).waitFor()
    expect(await page.locator('section[aria-label=Changes] li').count()).toBeLessThan(60)
    await page.getByRole('link', { name: 'Changed 2' }).click()
    await page.keyboard.press('j')
    await page.locator('.command .added', { hasText: '$ ls -l /samovar' }).waitFor()
    await expect.poll(() => new URL(page.url()).search).toContain('rule=SV-1000002r1_rule')
    expect(await page.getByText(/vuln_discussion|rule_severity|check_content/).count()).toBe(0)
    await page.getByRole('link', { name: 'Side by side' }).click()
    await expect.poll(() => page.locator('.beside .command').count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('SAMOVAR')
    await page.getByText('1 of 1,000 changes').waitFor()
    await expectSound(visit)
    await page.reload()
    await page.locator('ins', { hasText: 'samovar' }).first().waitFor()
    const rule = { id: 'SV-5r1_rule', group: 'V-5', version: 'KETT-01', requirement: null, title: 'Grind beans.' }
    const texts = { discussion: 'Beans are round.', checks: ['Taste them.'], fix: 'Roast more.' }
    const kettle = await store(guidance(), { id: 'Kettle_STIG', title: 'Kettle STIG', rules: [{ ...rule, ...texts }] })
    await page.goto(`${guidance().service.baseUrl}/stigs/${stig}/compare/${kettle}`)
    await page.getByText('These two have no rule in common.').waitFor()
    await page.getByRole('heading', { name: /^Teapot STIG V1R2 compared with Kettle STIG V1R1$/ }).waitFor()
    expect(await page.getByLabel('from', { exact: true }).locator('optgroup').count()).toBe(2)
    await page.getByLabel('from', { exact: true }).selectOption({ label: 'V1R1 · 2025-01-05' })
    await expect.poll(() => new URL(page.url()).pathname).toBe('/benchmarks/Teapot_STIG/V1R1/changes/V1R2')
    await page.goto(page.url().replace(/changes.*/, 'changes/V9R9'))
    await page.getByText('has no release V9R9').waitFor()
    await page.goto(`${guidance().service.baseUrl}/stigs/${stig}/compare/99999`)
    await page.getByText('could not be found').waitFor()
  })

  it('upload for administrators, with the result of each file of a zip', async () => {
    const other = await open('/catalogue/upload')
    await other.page.getByText('Only site administrators').waitFor()
    expect(await other.page.locator('input[type=file]').count()).toBe(0)
    const visit = await open('/catalogue/upload', 'root@example.org')
    const { page } = visit
    const zip = await zipOf({
      'good.xml': xccdfDocument({ id: 'Urn_STIG', title: 'Urn <i>STIG</i>' }),
      'bad<b>.xml': '<Benchmark xmlns="http://checklists.nist.gov/xccdf/1.1" id="x"><title>',
    })
    const file = (name: string, buffer: Buffer) => ({ name, buffer, mimeType: 'application/zip' })
    await page
      .getByLabel('XCCDF files, or zips of them')
      .setInputFiles([file('two.zip', zip), file('none.xml', Buffer.from('no'))])
    await page.getByRole('link', { name: 'Urn <i>STIG</i> V1R1, 2 rules' }).waitFor()
    await page.getByRole('row', { name: /bad<b>\.xml refused .*xml_not_well_formed/ }).waitFor()
    await page.getByText('Done: 2 of 2 files, 1 refused.').waitFor()
    await page.getByRole('heading', { name: 'none.xml' }).waitFor()
    await page.getByText('Refused.', { exact: true }).waitFor()
    await expectSound(visit)
    await page.reload()
    await page.getByText('Done: 2 of 2 files, 1 refused.').waitFor()
    await page.getByRole('link', { name: 'Urn <i>STIG</i> V1R1, 2 rules' }).click()
    await page.getByRole('heading', { name: 'Urn <i>STIG</i>', level: 1 }).waitFor()
  })

  it('keep the releases of a renamed benchmark together, for administrators', async () => {
    const visit = await open('/catalogue/upload', 'root@example.org')
    const { page } = visit
    await page.getByRole('region', { name: 'Identifiers that were renamed' }).waitFor()
    await page.getByLabel('Identifier', { exact: true }).fill('Kettle_STIG')
    const target = page.getByLabel('Counts among the releases of')
    await target.fill('Kettle_STIG')
    await page.reload()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Benchmark would be an alias of itself').waitFor()
    await target.fill('Teapot_STIG')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Releases of Kettle_STIG now count as releases of Teapot_STIG.').waitFor()
    const row = page.getByRole('row', { name: /^Kettle_STIG Teapot_STIG/ })
    await row.waitFor()
    await expectSound(visit, ['422 POST /api/benchmark_aliases'])
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Remove Kettle_STIG' }).click()
    await page.getByText('Alias removed.').waitFor()
    await row.waitFor({ state: 'detached' })
  })

  it('remove a release for administrators, except an SRG that is in use', async () => {
    const gone = await store(guidance(), { id: 'Old_STIG', title: 'Old <i>STIG</i>' })
    const projectId = await guidance().project(await guidance().signIn(root.email))
    await makeComponent(guidance(), root, { projectId, name: 'Samovar', srgId: srg })
    const other = await open(`/stigs/${gone}`)
    await other.page.getByRole('heading', { name: 'Old <i>STIG</i>', level: 1 }).waitFor()
    expect(await other.page.getByText('Remove this release').count()).toBe(0)
    const visit = await open(`/srgs/${srg}`, 'root@example.org')
    const { page } = visit
    await page.getByText('Remove this release').click()
    await page.getByText('It cannot be removed: 1 component was made from it.').waitFor()
    await page.getByRole('link', { name: 'Samovar' }).waitFor()
    expect(await page.getByRole('button', { name: /^Remove the/ }).count()).toBe(0)
    await expectNoTroubles(visit)
    await page.goto(`${guidance().service.baseUrl}/stigs/${gone}`)
    await page.getByText('Remove this release').click()
    const name = page.getByLabel('Type the name of the STIG to remove it')
    const button = page.getByRole('button', { name: 'Remove the STIG' })
    await name.fill('Old STIG')
    expect(await button.isDisabled()).toBe(true)
    await name.fill('Old <i>STIG</i> V1R1')
    await expectNoTroubles(visit)
    await button.click()
    await page.getByText('STIG removed.').waitFor()
    await expect.poll(() => page.url()).toMatch(/\/guidance$/)
    await page
      .getByRole('link', { name: /^Teapot/ })
      .first()
      .waitFor()
    // The list is shown from before the removal until it has been asked for again.
    await page.getByRole('link', { name: /^Old/ }).waitFor({ state: 'detached' })
    await expectNoTroubles(visit)
  })

  it('show requirements of an SRG, and say when a rule is not among them', async () => {
    const visit = await open(`/srgs/${srg}?rule=nothing`)
    await visit.page.getByText('This release has no rule').waitFor()
    await visit.page.getByRole('link', { name: /SRG-TEA-000002/ }).click()
    await visit.page.getByRole('heading', { name: 'Check' }).waitFor()
    // The rule is asked for only where the list has not come first.
    const unknown = '404 GET /api/catalogue/benchmarks/Tea_SRG/V1R1/rules/nothing.json'
    await expectNoTroubles(
      visit,
      visit.troubles.filter((trouble) => trouble === unknown),
    )
    const file = visit.page.waitForEvent('download')
    await visit.page.getByText('Export').click()
    await visit.page.getByRole('link', { name: 'CSV' }).click()
    expect((await file).suggestedFilename()).toBe('Tea_SRG-V1R1.csv')
  })
})
