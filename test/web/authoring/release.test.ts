// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { personsPageOpener } from '../../support/author-window.ts'
import { makeComponent, storeSrg, type MadeComponent } from '../../support/authoring.ts'
import { browserFound } from '../../support/browser.ts'
import { guidanceService, type Person, type SessionClient } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { csvOf } from '../../support/spreadsheet.ts'

const HOSTILE = '<script>document.title="taken"</script>'

const guidance = guidanceService()

describe.runIf(browserFound)('The pages from a component to its release', () => {
  const openAs = personsPageOpener(guidance)
  let projectId = 0
  let ada: Person
  let vera: Person
  let owner: SessionClient
  let made: MadeComponent

  beforeAll(async () => {
    ada = await guidance().person('Ada')
    vera = await guidance().person('Vera')
    owner = await guidance().signIn(ada.email)
    projectId = await guidance().project(owner, { name: 'Penguins' })
    await guidance().member(projectId, vera, 'viewer')
    made = await makeComponent(guidance(), ada, { projectId, name: HOSTILE, prefix: 'PNGN-01' })
  })

  it('begin a component from an SRG, by the keyboard', async () => {
    await storeSrg(guidance())
    const visit = await openAs(ada, `/projects/${projectId}/components/new`)
    const { page } = visit
    await page.getByLabel('Find an SRG').fill('teapot')
    const srgs = page.getByRole('list', { name: 'SRGs' })
    await srgs.getByRole('checkbox').first().press('Space')
    await page.getByText('primary', { exact: true }).waitFor()
    await page.getByLabel(/^All of Teapot/).press('Space')
    await page.getByRole('button', { name: 'Create the component' }).waitFor()
    await page.getByRole('searchbox', { name: /^Find a requirement of/ }).fill('000002')
    await page.getByRole('button', { name: 'Take 1 shown' }).press('Enter')
    await page.getByText('1 of 3 taken').waitFor()
    await expectSound(visit)
    await page.getByLabel('Name', { exact: true }).fill('Penguin OS')
    await page.getByLabel('Prefix').fill('PNGN-02')
    await page.getByLabel('Title').fill('Penguin OS Guide')
    await page.getByLabel('Title').press('Enter')
    await page.getByRole('heading', { name: 'Penguin OS V1R1', level: 1 }).waitFor()
    const { pathname } = new URL(page.url())
    const { body } = await owner.call('GET', `${pathname}/rules_picker`)
    expect(body).toEqual({ rules: [expect.objectContaining({ version: 'SRG-TEA-000002' })] })
    expect(visit.troubles).toEqual([])
  })

  it('preview a component from a spreadsheet', async () => {
    const version = 'SRG-ONLY-000077'
    await storeSrg(guidance(), 'stig', [{ id: 'SV-77r1_rule', version }])
    const file = csvOf([{ SRGID: version, STIGID: 'POTS-01-000001', Requirement: HOSTILE, Status: 'Odd' }])
    const visit = await openAs(ada, `/projects/${projectId}/components/new?from=spreadsheet`)
    const { page } = visit
    const chosen = { name: 'rules.csv', mimeType: 'text/csv', buffer: Buffer.from(file) }
    await page.getByLabel('Spreadsheet (.xlsx or .csv)').setInputFiles(chosen)
    await page.getByRole('heading', { name: 'Preview' }).waitFor()
    await page.getByRole('region', { name: 'Not taken as it is' }).getByText('Odd').waitFor()
    await page.locator('ins', { hasText: 'taken' }).first().waitFor()
    await expectSound(visit)
  })

  it('ask for a prefix for a spreadsheet without STIGIDs', async () => {
    const version = 'SRG-ONLY-000078'
    await storeSrg(guidance(), 'stig', [{ id: 'SV-78r1_rule', version }])
    const file = csvOf([{ SRGID: version, Requirement: 'Shut it.', Status: 'N/A' }])
    const visit = await openAs(ada, `/projects/${projectId}/components/new?from=spreadsheet`)
    const { page } = visit
    const chosen = { name: 'rules.csv', mimeType: 'text/csv', buffer: Buffer.from(file) }
    await page.getByLabel('Spreadsheet (.xlsx or .csv)').setInputFiles(chosen)
    await page.getByText('There is no STIGID. Give a prefix of the form AAAA-00').waitFor()
    await page.getByLabel('Prefix').fill('VEND-01')
    await page.getByRole('heading', { name: 'Preview' }).waitFor()
    await page.getByText('VEND-01-000001').first().waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Vendor')
    await page.getByLabel('Title').fill('Vendor Guide')
    await page.getByRole('button', { name: 'Create the component' }).click()
    await page.getByRole('heading', { name: 'Vendor V1R1', level: 1 }).waitFor()
  })

  it('begin the next release as a copy', async () => {
    const path = `/projects/${projectId}/components/new?from=copy&source=${made.id}`
    const visit = await openAs(ada, path)
    const { page } = visit
    const title = page.getByLabel('Title')
    const given = await title.inputValue()
    await title.fill('Typed before a reload')
    await page.getByLabel('What is copied').selectOption({ index: 0 })
    await title.waitFor({ state: 'detached' })
    await page.getByLabel('What is copied').selectOption(String(made.id))
    await expect.poll(() => title.inputValue()).toBe('Typed before a reload')
    await page.reload()
    await expect.poll(() => title.inputValue()).toBe('Typed before a reload')
    await title.fill(given)
    await page.getByRole('button', { name: 'Create the copy' }).click()
    await page.getByRole('heading', { name: `${HOSTILE} V1R2`, level: 1 }).waitFor()
    // The page of each release leads to the same page of the others.
    const releases = page.getByRole('combobox', { name: 'Release of the component' })
    const listed = async () => (await releases.getByRole('option').allTextContents()).map((text) => text.trim())
    await expect.poll(listed).toEqual(['V1R2 draft', 'V1R1 draft'])
    await releases.selectOption({ label: 'V1R1 draft' })
    await page.getByRole('heading', { name: `${HOSTILE} V1R1`, level: 1 }).waitFor()
    expect(visit.troubles).toEqual([])
  })

  it('tell a viewer why they can neither add nor release', async () => {
    const adding = await openAs(vera, `/projects/${projectId}/components/new`)
    await adding.page.getByText('Administrators of the project add components').waitFor()
    await expectNoTroubles(adding)
    for (const [path, says] of [
      ['release', 'One has to be an author of the component for that.'],
      ['spreadsheet', 'One has to be an author of the component for that.'],
      ['settings', 'One has to be an author of the component for that.'],
    ] as const) {
      await adding.page.goto(new URL(`/components/${made.id}/${path}`, adding.page.url()).href)
      await adding.page.getByText(says).waitFor()
      expect(await adding.page.getByRole('button', { name: /^Release|^Remove/ }).count()).toBe(0)
    }
    expect(adding.troubles).toEqual([])
  })

  it('link missing parts to their rule, and lock complete rules', async () => {
    const visit = await openAs(ada, `/components/${made.id}/readiness`)
    const { page } = visit
    const group = page.getByRole('region', { name: 'The rule is not locked.' })
    const link = group.getByRole('link', { name: 'PNGN-01-000001' })
    await link.waitFor()
    await page.getByText('3 things prevent a release.', { exact: false }).waitFor()
    await expectSound(visit)
    expect(await link.getAttribute('href')).toBe(`/components/${made.id}?rule=PNGN-01-000001`)
    for (const id of made.rules) {
      const rule = { status: 'Applicable - Configurable' }
      await owner.call('PUT', `/rules/${id}`, { body: { rule } })
    }
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Lock all that are complete' }).click()
    await page.getByText('Locked 3 rules.').waitFor()
    await page.getByRole('link', { name: 'Go to the release' }).waitFor()
    expect(visit.troubles).toEqual([])
  })

  it('list a few rules that cannot be locked, with the reason, and count the others', async () => {
    const parts = { projectId, prefix: 'PNGN-06', rules: 6 }
    const component = await makeComponent(guidance(), ada, parts)
    for (const id of component.rules) {
      const rule = { status: 'Applicable - Does Not Meet' }
      await owner.call('PUT', `/rules/${id}`, { body: { rule } })
    }
    const { page } = await openAs(ada, `/components/${component.id}/readiness`)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Lock all that are complete' }).click()
    const status = page.locator('#status')
    await status.getByText('PNGN-06-000001').waitFor()
    expect(await status.textContent()).toMatch(/And 2 more like that\.$/)
    expect(await status.textContent()).not.toContain('PNGN-06-000005')
  })

  it('export several formats at once with their progress', async () => {
    const visit = await openAs(vera, `/components/${made.id}/release`)
    const { page } = visit
    // More than browsers let a page save within a second.
    await page.getByLabel('Every format').check()
    await expectSound(visit)
    expect(await page.getByLabel('Disposition of comments').count()).toBe(0)
    const files: string[] = []
    page.on('download', (download) => files.push(download.suggestedFilename()))
    await page.getByRole('button', { name: 'Export 12 formats' }).click()
    const saved = page.getByText(/^saved as /)
    await expect.poll(() => saved.count()).toBe(12)
    const said = (await saved.allTextContents()).map((text) => text.replace('saved as ', ''))
    await expect.poll(() => files.toSorted()).toEqual(said.toSorted())
    page.removeAllListeners('download')
    expect(visit.troubles).toEqual([])
  })

  it('show every changed cell of a spreadsheet, and why others are skipped', async () => {
    const component = await makeComponent(guidance(), ada, { projectId, prefix: 'PNGN-03' })
    const { body } = await owner.call('GET', `/components/${component.id}/export/csv`, { headers: { Accept: '*/*' } })
    await owner.call('POST', `/rules/${component.rules[1]}/reviews`, {
      body: { review: { action: 'lock_control', comment: 'Done.' } },
    })
    const edited = String(body).replaceAll(/CAT (I|II|III)\b/g, 'CAT II')
    const buffer = Buffer.from(edited.replaceAll('Not Yet Determined', 'Applicable - Configurable'))
    const visit = await openAs(ada, `/components/${component.id}/spreadsheet`)
    const { page } = visit
    const chosen = { name: 'rules.csv', mimeType: 'text/csv', buffer }
    await page.getByLabel('Spreadsheet (.xlsx or .csv)').setInputFiles(chosen)
    await page.getByRole('region', { name: 'Skipped' }).getByText('is locked').waitFor()
    await expectSound(visit)
    await page.getByRole('button', { name: 'Change 2 rules' }).click()
    await page.getByText('Successfully updated 2 rules').waitFor()
    await page.getByText(/of 2 rules. Skipped: 1 rule\. /).waitFor()
    const changes = page.getByRole('region', { name: 'Changes' })
    await changes.getByRole('link', { name: 'PNGN-03-000001' }).waitFor()
    expect(await page.getByRole('region', { name: 'Skipped' }).getByRole('link').count()).toBe(1)
    await expectNoTroubles(visit)
    expect(visit.troubles).toEqual([])
  })

  it('send only changed values, and release', async () => {
    const visit = await openAs(ada, `/components/${made.id}/settings`)
    const { page } = visit
    await page.getByLabel('Release', { exact: true }).fill('7')
    await page.getByLabel('Comments', { exact: true }).selectOption('finalized')
    await expectSound(visit)
    const changed = await owner.call('PATCH', `/components/${made.id}`, {
      body: { component: { title: 'By somebody else' } },
    })
    expect(changed.status).toBe(200)
    await page.reload()
    await expect.poll(() => page.getByLabel('Release', { exact: true }).inputValue()).toBe('7')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed the settings.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Component updated.').waitFor()
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('By somebody else')
    expect(visit.troubles.splice(0)).toEqual([`409 PATCH /components/${made.id}`])
    await page.goto(new URL(`/components/${made.id}/release`, page.url()).href)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: /^Release / }).click()
    await page.getByRole('heading', { name: 'Released' }).waitFor()
    await page.getByRole('link', { name: 'Begin its next release as a copy' }).waitFor()
    const { page: viewers } = await openAs(vera, `/components/${made.id}/release`)
    await viewers.getByText('Administrators of the project begin its next release').waitFor()
    const { body } = await owner.call('GET', `/api/components/${made.id}/summary`)
    expect(body).toMatchObject({ released: true, release: 7, closed_reason: 'finalized' })
    expect(visit.troubles).toEqual([])
  })

  it('list waiting work on the home page', async () => {
    const [rule] = (await makeComponent(guidance(), ada, { projectId, name: HOSTILE })).rules
    const viewer = await guidance().signIn(vera.email)
    const review = { action: 'comment', comment: 'Why?' }
    await viewer.call('POST', `/rules/${rule}/reviews`, { body: { review } })
    const visit = await openAs(ada, '/home')
    await visit.page.getByRole('link', { name: /^1 comment to decide on/ }).waitFor()
    await expectSound(visit)
    const none = await openAs(vera, '/home')
    await none.page.getByText('Nothing waits for you').waitFor()
  })
})
