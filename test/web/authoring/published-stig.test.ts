// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { openSignedIn } from '../../support/author-window.ts'
import { browserFound, chromiumBrowser, type Visit } from '../../support/browser.ts'
import { store } from '../../support/catalogue.ts'
import { rowOf } from '../../support/guidance-records.ts'
import { guidanceService, type Person } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { cciList, storeCciList } from '../../support/reference-data.ts'

const guidance = guidanceService()

describe.runIf(browserFound)('The pages of a component that begins from a published STIG', () => {
  const surf = chromiumBrowser()
  let projectId = 0
  let ada: Person

  const rule = (number: number, title: string) => ({
    id: `SV-30${number}r1_rule`,
    version: `RKET-09-00000${number}`,
    requirement: number === 3 ? 'Boil water' : `SRG-TEA-00000${number}`,
    title,
  })
  const RULES = [rule(1, 'The lid must be shut.'), rule(2, 'The spout must be clean.'), rule(3, 'Water must boil.')]

  beforeAll(async () => {
    ada = await guidance().person('Ada')
    projectId = await guidance().project(await guidance().signIn(ada.email))
    await store(guidance(), { id: 'Kettles_SRG', title: 'Kettles Requirements', kind: 'srg', rules: 2 })
    await store(guidance(), { id: 'Red_Kettle_9_STIG', title: 'Red Kettle 9', rules: RULES })
    await store(guidance(), {
      id: 'Red_Kettle_9_STIG',
      title: 'Red Kettle 9',
      release: '2',
      rules: [rule(1, 'The lid must be locked.'), ...RULES.slice(1)],
    })
    const ccis = [
      { id: 'CCI-000366', definition: 'The organization implements the settings.', places: { 5: 'CM-6 b' } },
      { id: 'CCI-000044', definition: 'The system limits failed logons.', places: { 5: 'AC-7 a' } },
    ]
    await storeCciList(guidance().service.guidance.database, cciList(ccis))
  })

  async function open(path: string): Promise<Visit> {
    return openSignedIn(await surf(guidance().service.baseUrl), ada.email, path)
  }

  it('begin it, name the rules without a requirement, and show what the newer release changes', async () => {
    const visit = await open(`/projects/${projectId}/components/new`)
    const { page } = visit
    await page.getByRole('link', { name: 'From a published STIG' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Earlier releases too' }).check()
    await page.getByRole('searchbox', { name: 'Find a STIG' }).fill('kettle v1r1')
    await page.getByRole('radio', { name: /Red Kettle 9 V1R1/ }).check()
    await page.getByRole('option', { name: 'Kettles Requirements V1R1: 2 of 2 requirements' }).waitFor({
      state: 'attached',
    })
    await page.getByLabel('Prefix').fill('RKET-10')
    await expectNoTroubles(visit)
    await page.getByRole('button', { name: 'Begin the component' }).click()
    await page.getByRole('cell', { name: 'The rule names no SRG requirement.' }).waitFor()
    await page.getByRole('cell', { name: 'RKET-09-000003' }).waitFor()
    await expectSound(visit)
    await page.getByRole('link', { name: 'Open the component' }).click()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: 'Compare with the published STIG' }).click()
    await page.getByText('Begun from Red_Kettle_9_STIG V1R1.').waitFor()
    await page.getByText('0 of 3 rules differ').waitFor()
    await page.getByRole('combobox', { name: 'Compared with' }).selectOption({ label: 'Red Kettle 9 V1R2, newer' })
    await page.getByRole('link', { name: 'Changed 1' }).waitFor()
    await page.getByText('changed in this release of the STIG').waitFor()
    await expectNoTroubles(visit)
  })

  it('show the CCIs of a rule in the editor, and add one that is found by words', async () => {
    const { rules } = await rowOf(guidance(), 'components', { project_id: projectId }).then(({ id }) => ({
      rules: `/components/${id}?rule=RKET-10-000001&panel=ccis`,
    }))
    const visit = await open(rules)
    const { page } = visit
    const panel = page.getByRole('region', { name: 'CCIs', exact: true })
    await panel.getByText('The organization implements the settings.').waitFor()
    await panel.getByRole('link', { name: 'CM-6 b' }).waitFor()
    await panel.getByRole('searchbox', { name: 'Add a CCI' }).fill('failed logons')
    await panel.getByRole('button', { name: 'Add CCI-000044' }).press('Enter')
    await panel.getByRole('button', { name: 'Remove CCI-000044' }).waitFor()
    const stored = () =>
      guidance()
        .service.guidance.database.read.selectFrom('rules')
        .innerJoin('components', 'components.id', 'rules.component_id')
        .select('ident')
        .where('project_id', '=', projectId)
        .where('number', '=', 1)
        .executeTakeFirstOrThrow()
    await expect.poll(stored, { timeout: 15_000 }).toEqual({ ident: 'CCI-000044, CCI-000366' })
    await expectSound(visit)
  })
})
