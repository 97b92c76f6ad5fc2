// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { nistControls } from '../../src/guidance/catalogue/benchmarks/nist-controls.ts'
import { signedInPageOpener } from '../support/author-window.ts'
import { makeComponent, storeSrg } from '../support/authoring.ts'
import { browserFound, type Visit } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectNoTroubles } from '../support/page-check.ts'
import { STARTER } from '../support/service.ts'
import { sampleRules, type SampleRule } from '../support/xccdf-document.ts'

const guidance = guidanceService({}, undefined, STARTER)

/** CCIs whose control is another one than the first that the starter links to the same technique. */
const CCIS = ['CCI-000044', 'CCI-000386', 'CCI-001166']

function citing(kind: 'srg' | 'stig'): readonly SampleRule[] {
  return sampleRules(1, kind).map((rule) => ({ ...rule, cci: CCIS }))
}

describe.runIf(browserFound)('The control that a page prints beside a CCI', () => {
  const open = signedInPageOpener(guidance, 'ada@example.org')
  let stig = 0
  let component = 0

  beforeAll(async () => {
    stig = await store(guidance(), { rules: citing('stig') })
    const other = sampleRules(1).map((rule) => ({ ...rule, cci: ['CCI-000015'] }))
    await store(guidance(), { id: 'Cup_STIG', title: 'Cup STIG', rules: other })
    const owner = await guidance().signUp('Ada')
    const projectId = await guidance().project(owner)
    const srgId = await storeSrg(guidance(), 'stig', citing('srg'))
    component = (await makeComponent(guidance(), owner, { projectId, srgId })).id
  })

  /** The CCI and the control of each link that the page shows. */
  async function expectOwnControls({ page }: Visit): Promise<void> {
    await page
      .getByText(/CCI-\d{6} \(.*\) → /)
      .first()
      .waitFor()
    const text = await page.locator('main').innerText()
    const links = [...text.matchAll(/(CCI-\d{6})(.*?) → /g)]
    expect(links.length).toBeGreaterThan(0)
    for (const [, cci = '', control] of links) expect(control, cci).toBe(` (${nistControls().get(cci)})`)
  }

  /** The same in the table of the rules that are linked to a technique. */
  async function expectOwnControlsOfRules({ page }: Visit): Promise<void> {
    const links = page.getByRole('region', { name: 'Rules linked to it' }).locator('.link')
    await links.first().waitFor()
    for (const text of await links.allInnerTexts()) {
      const [cci = '', control] = text.split('\n')
      expect(control, cci).toBe(nistControls().get(cci))
    }
  }

  it("is the CCI's own in DISA's list on the page of a rule", async () => {
    const visit = await open(`/stigs/${stig}?rule=SV-1000001`)
    await expectOwnControls(visit)
    await expectNoTroubles(visit)
  })

  it.each(['d3f:AccountLocking', 'd3f:ExecutableDenylisting', 'd3f:DynamicAnalysis'])(
    "is the CCI's own in DISA's list on the page of the technique %s",
    async (technique) => {
      await expectOwnControlsOfRules(await open(`/technique/${technique}/`))
    },
  )

  it('is next to the relation, by which the rules of a technique are filtered', async () => {
    const visit = await open('/technique/d3f:AccountLocking/')
    const { page } = visit
    const rules = page.getByRole('region', { name: 'Rules linked to it' })
    await rules.getByRole('row', { name: 'Cup STIG V1R1' }).waitFor()
    await rules.getByRole('row', { name: 'Teapot STIG V1R1' }).waitFor()
    const relations = page.getByRole('navigation', { name: 'Relation' })
    await relations.getByRole('link', { name: 'broader 1' }).click()
    await rules.getByRole('row', { name: 'Teapot STIG V1R1' }).waitFor({ state: 'detached' })
    expect(new Set(await rules.locator('.relation').allInnerTexts())).toEqual(new Set(['broader']))
    expect(new URL(page.url()).searchParams.get('relation')).toBe('broader')
    await expectNoTroubles(visit)
    await page.reload()
    await relations.getByRole('link', { name: 'broader 1' }).and(page.locator('[aria-current]')).waitFor()
    await relations.getByRole('link', { name: 'All' }).click()
    await rules.getByRole('row', { name: 'Teapot STIG V1R1' }).waitFor()
  })

  it("is the CCI's own in DISA's list in the editor", async () => {
    const visit = await open(`/components/${component}?rule=TEAP-00-000001&panel=defends`)
    await expectOwnControls(visit)
    await expectNoTroubles(visit)
  })
})
