// @module-tag long

import { describe, expect, it } from 'vitest'
import { batchAnswer } from '../../src/guidance/search/batch/answer.ts'
import { shapeDefenses } from '../../src/web/application/ontology/defenses.ts'
import type { Node } from '../../src/web/application/ontology/json-ld.ts'
import { readFolding } from '../../src/web/application/ontology/matrix/folding.ts'
import { shapeSubject } from '../../src/web/application/ontology/subject/subject.ts'
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
    ['/ontology/describe/d3f:UserAccount/', 'User Account', 'rdfs:label'],
  ])('show what there is at %s, and are sound', async (path, title, linked) => {
    const visit = await open(path)
    await visit.page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await visit.page.locator('main').getByRole('link', { name: linked }).first().waitFor()
    await expectSound(visit)
  })

  it.each(['T1110', 'T1110.001', 'T1078', 'T1547'])(
    'name the tactics of the attack %s that the search names',
    async (attack) => {
      const { body } = await service().get(`/api/batch?ids=${attack}`)
      const [item] = batchAnswer.parse(JSON.parse(body.toString())).items
      const tactics = item?.record?.tactics.map(({ label }) => label) ?? []
      expect(tactics.length).toBeGreaterThan(0)
      const { page } = await open(`/offensive-technique/attack/${attack}`)
      const sentence = page.getByText(/^Attackers use it for/)
      expect(await sentence.textContent()).toBe(`Attackers use it for ${tactics.join(', ')}.`)
    },
  )

  it('fold what is below a tactic or technique, by keyboard, and keep that in the address', async () => {
    const { page, troubles } = await open('/matrix')
    const below = page.getByRole('link', { name: 'File Hashing' })
    const button = page.getByRole('button', { name: 'Techniques below File Analysis' })
    await button.focus()
    await page.keyboard.press('Enter')
    await below.waitFor({ state: 'hidden' })
    await page.reload()
    await button.waitFor()
    expect(await below.isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Fold all', exact: true }).click()
    await button.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Techniques below Detect' }).click()
    await button.click()
    await below.waitFor()
    expect(troubles).toEqual([])
  })

  it('lead on, from an attack to what meets it and to what that works on', async () => {
    const { page, troubles } = await open('/offensive-technique/attack/T1110.001')
    const defense = page.getByRole('row').nth(1).getByRole('rowheader').getByRole('link')
    const name = (await defense.textContent()) ?? ''
    await defense.click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByRole('heading', { name: /^Attacks it meets/ }).waitFor()
    await page.getByRole('link', { name: 'T1110.001', exact: true }).click()
    await page.getByRole('heading', { name: 'Password Guessing', level: 1 }).waitFor()
    expect(troubles).toEqual([])
  })
})

describe('Folding', () => {
  it('is all or nothing, but for names, and keeps what else the address says', () => {
    const one = readFolding({ release: '1', but: 'd3f:A' })
    expect([one.isFolded('d3f:A'), one.isFolded('d3f:B')]).toEqual([true, false])
    expect(one.toggled('d3f:B')).toEqual({ release: '1', fold: undefined, but: 'd3f:A,d3f:B' })
    expect(one.toggled('d3f:A')['but']).toBeUndefined()
    const all = readFolding({ fold: 'all', but: 'd3f:A' })
    expect([all.isFolded('d3f:A'), all.isFolded('d3f:B')]).toEqual([false, true])
    expect(all.whole(false)).toEqual({ fold: undefined, but: undefined })
  })
})

describe('The tree of techniques', () => {
  it('has each below what it is a kind of, and ends where kinds go in circles', () => {
    const node = (id: string, above: string): Node => ({
      '@id': id,
      'rdfs:label': id.slice(4),
      'rdfs:subClassOf': { '@id': above },
    })
    const graph = [node('d3f:A', 'd3f:Top'), node('d3f:B', 'd3f:A'), node('d3f:X', 'd3f:Y'), node('d3f:Y', 'd3f:X')]
    expect(treeOf({ '@graph': graph })).toEqual([
      {
        name: 'd3f:A',
        label: 'A',
        definition: null,
        children: [{ name: 'd3f:B', label: 'B', definition: null, children: [] }],
      },
    ])
  })
})

describe('Defenses', () => {
  it('are one for each technique of the rows, with all its ways', () => {
    const row = (values: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: 'literal' as const, value }]))
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

describe('A subject', () => {
  const D3F = 'http://d3fend.mitre.org/ontologies/d3fend.owl#'
  const OWL = 'http://www.w3.org/2002/07/owl#'

  it('is told of by what it says and by who points at it, also from within what has no name', () => {
    const circle = { '@id': '_:b1', [`${D3F}next`]: [{ '@id': '_:b1' }] }
    const restriction = { '@id': '_:b0', [`${OWL}someValuesFrom`]: [{ '@id': `${D3F}Account` }] }
    const lock = { '@id': `${D3F}Lock`, [`${D3F}is`]: [{ '@id': '_:b0' }] }
    const account = {
      '@id': `${D3F}Account`,
      '@type': [`${OWL}Class`],
      [`${D3F}attack-id`]: [{ '@value': 'T1' }],
      [`${D3F}loop`]: [{ '@id': '_:b1' }],
      [`${D3F}seen`]: [{ '@value': 'ja', '@language': 'de' }, { '@id': 'http://x.example/a b' }],
    }
    const shown = shapeSubject('d3f:Account', [circle, restriction, lock, account])
    expect(shown.record).toEqual({ kind: 'attack', id: 'T1' })
    const values = (property: string) => shown.said.find(({ property: { name } }) => name === property)?.values
    expect(values('rdf:type')).toMatchObject([{ name: 'owl:Class' }])
    expect(values('d3f:seen')).toMatchObject([
      { text: 'ja', note: 'de' },
      { kind: 'thing', name: 'http://x.example/a b' },
    ])
    expect(JSON.stringify(values('d3f:loop'))).toContain('…')
    expect(shown.about).toMatchObject([{ property: { name: 'owl:someValuesFrom' }, values: [{ name: 'd3f:Lock' }] }])
  })

  it('that is named by nothing but its IRI is shown as it is', () => {
    const shown = shapeSubject('http://x.example/', [{ '@id': 'http://x.example/' }])
    expect(shown).toMatchObject({ name: 'http://x.example/', label: null, said: [], about: [] })
  })
})
