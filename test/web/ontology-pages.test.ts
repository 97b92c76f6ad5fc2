import { describe, expect, it } from 'vitest'
import { shapeDefenses } from '../../src/web/application/ontology/defenses.ts'
import type { Node } from '../../src/web/application/ontology/json-ld.ts'
import { treeOf } from '../../src/web/application/ontology/tree.ts'
import { browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
import { expectSound } from '../support/page-check.ts'
import { starterService } from '../support/service.ts'

const service = starterService()

describe.runIf(browserFound)('The pages of the ontology', () => {
  const surf = chromiumBrowser()

  async function open(path: string): Promise<Visit> {
    return (await surf(service().baseUrl)).open(path)
  }

  it.each([
    ['/matrix', 'Matrix of defensive techniques', 'File Integrity Monitoring'],
    ['/tactic/d3f:Harden/', 'Harden', 'Platform Hardening'],
    ['/dao/artifact/d3f:UserAccount/', 'User Account', 'Account Locking'],
    ['/offensive-technique/attack/T1110.001/', 'Password Guessing', /./],
    ['/weakness/cwe/CWE-79/', /CWE-79|Scripting/i, /./],
  ])('show what there is at %s, and are sound', async (path, title, linked) => {
    const visit = await open(path)
    await visit.page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await visit.page.locator('main').getByRole('link', { name: linked }).first().waitFor()
    await expectSound(visit)
  })

  it('lead on, from an attack to what meets it and to what that works on', async () => {
    const { page, troubles } = await open('/offensive-technique/attack/T1110.001')
    const defense = page.getByRole('row').nth(1).getByRole('rowheader').getByRole('link')
    const name = (await defense.textContent()) ?? ''
    await defense.click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByRole('heading', { name: /^Attacks it meets/ }).waitFor()
    await page.getByRole('link', { name: 'T1110.001' }).click()
    await page.getByRole('heading', { name: 'Password Guessing', level: 1 }).waitFor()
    expect(troubles).toEqual([])
  })
})

describe('The tree of techniques', () => {
  it('has each below what it is a kind of, and ends where kinds go in circles', () => {
    const node = (id: string, above: string): Node => ({
      '@id': id,
      'rdfs:label': id.slice(4),
      'rdfs:subClassOf': { '@id': above },
    })
    const graph = [
      node('d3f:A', 'd3f:Top'),
      node('d3f:B', 'd3f:A'),
      node('d3f:X', 'd3f:Y'),
      node('d3f:Y', 'd3f:X'),
    ]
    expect(treeOf({ '@graph': graph })).toEqual([
      {
        ...{ name: 'd3f:A', label: 'A', definition: null },
        children: [{ name: 'd3f:B', label: 'B', definition: null, children: [] }],
      },
    ])
  })
})

describe('Defenses', () => {
  it('are one for each technique of the rows, with all its ways', () => {
    const row = (values: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, { type: 'literal' as const, value }]),
      )
    const lock = { def_tech: 'x#Lock', def_tech_label: 'Lock', def_tactic_label: 'Evict' }
    const rows = [
      row({ ...lock, def_artifact: 'x#Account', def_artifact_label: 'Account' }),
      row({ ...lock, def_artifact: 'x#Session', def_artifact_label: 'Session' }),
      row({ ...lock, def_artifact: 'x#Session', def_artifact_label: 'Session' }),
      row({ off_tech: 'x#T1' }),
    ]
    const [found, ...others] = shapeDefenses(rows)
    expect(others).toEqual([])
    expect(found).toMatchObject({ name: 'd3f:Lock', label: 'Lock', parent: null })
    expect(found?.ways.map(({ artifact }) => artifact.label)).toEqual(['Account', 'Session'])
  })
})
