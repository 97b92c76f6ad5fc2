// @module-tag long

import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { batchAnswer } from '../../src/guidance/search/batch/answer.ts'
import { groupDefenses, shapeDefenses } from '../../src/web/application/ontology/defenses.ts'
import type { Node } from '../../src/web/application/ontology/json-ld.ts'
import { shapeAttackTactics, countAttacks } from '../../src/web/application/ontology/matrix/attack-tactics.ts'
import { columnsAsCsv } from '../../src/web/application/ontology/matrix/columns-csv.ts'
import {
  attackColumns,
  cellsOf,
  countBelow,
  countMatches,
  countPairs,
  defenseColumns,
  groupPairs,
  onlyNamed,
} from '../../src/web/application/ontology/matrix/columns.ts'
import { shapeSubject } from '../../src/web/application/ontology/subject/subject.ts'
import { treeOf } from '../../src/web/application/ontology/tree.ts'
import { matchingItems, openAround, type TreeItem } from '../../src/web/application/parts/record/side-tree.ts'
import { browserFound, pageOpener } from '../support/browser.ts'
import { expectNoTroubles, expectSound } from '../support/page-check.ts'
import { starterService } from '../support/service.ts'

const service = starterService()

describe.runIf(browserFound)('The pages of the ontology', () => {
  const open = pageOpener(() => service().baseUrl)

  it('show the records around a record, and lead to them', async () => {
    const { page } = await open('/technique/d3f:FileIntegrityMonitoring/')
    await page.setViewportSize({ width: 1440, height: 900 })
    const tree = page.getByRole('navigation', { name: 'Around this record' })
    await tree.getByRole('link', { name: 'File Integrity Monitoring' }).and(page.locator('[aria-current]')).waitFor()
    await tree.getByRole('searchbox').fill('no such technique')
    await tree.getByText('Nothing matches.').waitFor()
    await tree.getByRole('searchbox').fill('')
    await tree.getByRole('link', { name: 'File Analysis' }).click()
    await page.getByRole('heading', { name: 'File Analysis', level: 1 }).waitFor()
    await page.setViewportSize({ width: 1000, height: 900 })
    expect(await tree.isVisible()).toBe(false)
  })

  it('show ids and numbers in the matrix as they are chosen', async () => {
    const { page } = await open('/matrix')
    await page.getByText('D3-FIM', { exact: true }).waitFor()
    await page.getByLabel('Ids', { exact: true }).uncheck()
    await page.getByText('D3-FIM', { exact: true }).waitFor({ state: 'detached' })
    await page.getByLabel('Number').selectOption('None')
    await page.waitForURL(/number=none/)
    expect(new URL(page.url()).searchParams.get('ids')).toBe('none')
  })

  it.each([
    ['/matrix', 'Defenses', 'File Integrity Monitoring'],
    ['/attacks', 'Attacks', 'Brute Force'],
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

  it('lead from terms of standards to their definitions, and from others to pages', async () => {
    const { page } = await open('/ontology/describe/d3f:UserAccount/')
    const statements = page.locator('main')
    const label = statements.getByRole('link', { name: 'rdfs:label', exact: true }).first()
    expect(await label.getAttribute('href')).toBe('http://www.w3.org/2000/01/rdf-schema#label')
    const ownName = statements.getByRole('link', { name: /^d3f:/ }).first()
    expect(await ownName.getAttribute('href')).toMatch(/^\/ontology\/describe\/d3f:/)
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

  it.each([
    ['/matrix', 'Filter techniques', 'File Hashing', 'Dynamic Analysis'],
    ['/attacks', 'Filter attacks', 'Brute Force', 'Phishing'],
  ])('mark in %s what the filter finds, and keep that in the address', async (path, field, found, other) => {
    const visit = await open(path)
    const { page } = visit
    await page.getByLabel(field).fill(found.toLowerCase())
    const cell = (name: string) => page.locator('.cell', { has: page.getByRole('link', { name, exact: true }) }).first()
    await expect.poll(() => cell(found).getAttribute('class')).toContain('found')
    expect(await cell(other).getAttribute('class')).toContain('dim')
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe(found.toLowerCase())
    await page.reload()
    await expect.poll(() => cell(found).getAttribute('class')).toContain('found')
    const arrives = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export (CSV)' }).click()
    const file = await readFile(await (await arrives).path(), 'utf8')
    expect(file).toContain(`,${found},`)
    expect(file).not.toContain(other)
    await expectNoTroubles(visit)
  })

  it('show sub-techniques on demand, and definitions on hover and focus', async () => {
    const { page, troubles } = await open('/attacks')
    const guessing = page.getByRole('link', { name: 'Password Guessing', exact: true })
    const force = page.getByRole('link', { name: 'Brute Force', exact: true }).first()
    await force.waitFor()
    expect(await guessing.count()).toBe(0)
    await page.getByLabel('Sub-techniques').check()
    await guessing.first().waitFor()
    await page.reload()
    await guessing.first().waitFor()
    await force.focus()
    const definition = page.getByRole('tooltip')
    await definition.waitFor()
    await page.keyboard.press('Escape')
    await definition.waitFor({ state: 'detached' })
    await guessing.first().hover()
    await definition.waitFor()
    expect(troubles).toEqual([])
  })

  it('link an attack to its techniques and these to their artifacts', async () => {
    const { page, troubles } = await open('/offensive-technique/attack/T1110.001')
    const defense = page.getByRole('row').nth(2).getByRole('rowheader').getByRole('link')
    const name = (await defense.textContent()) ?? ''
    await defense.click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByRole('heading', { name: /^Attacks it counters/ }).waitFor()
    await page.getByRole('link', { name: 'Password Guessing', exact: true }).click()
    await page.getByRole('heading', { name: 'Password Guessing', level: 1 }).waitFor()
    expect(troubles).toEqual([])
  })
})

describe('The columns', () => {
  const attack = (id: string, tactics: readonly string[]): Node => ({
    '@id': `d3f:${id}`,
    'd3f:attack-id': id,
    'rdfs:label': `Attack ${id}`,
    'd3f:enables': tactics.map((tactic) => ({ '@id': tactic })),
  })
  const attacks = [attack('T1.001', ['d3f:TA2']), attack('T1', ['d3f:TA2', 'd3f:TA1']), attack('T2.001', ['d3f:TA1'])]
  const tactics = shapeAttackTactics({ '@graph': [...attacks, { '@id': 'd3f:TA1', 'rdfs:label': 'Access' }] })

  it('have the attacks of each tactic, sub-techniques below a technique with the same tactic', () => {
    expect(tactics.map(({ label }) => label)).toEqual(['Access', 'd3f:TA2'])
    expect(countAttacks(tactics)).toBe(3)
    const columns = attackColumns(tactics, { '@graph': attacks })
    const shown = columns.map(({ groups }) =>
      groups[0]?.cells.map(({ id, below }) => [id, ...below.map((child) => child.id)]),
    )
    expect(shown).toEqual([[['T1'], ['T2.001']], [['T1', 'T1.001']]])
    expect(countMatches(columns, ['t1'])).toBe(2)
    expect(countMatches(columns, [])).toBeNull()
  })

  it('have the techniques below each heading, with their sub-techniques', () => {
    const deep = { '@id': 'd3f:C', 'rdfs:label': 'C' }
    const [column, ...others] = defenseColumns([
      { '@id': 'd3f:Top', children: [{ '@id': 'd3f:A', children: [{ '@id': 'd3f:B', children: [deep] }] }] },
    ])
    expect(others).toEqual([])
    expect(column === undefined ? [] : cellsOf(column).map(({ label }) => label)).toEqual(['d3f:A', 'd3f:B', 'C'])
  })

  it('can be limited to techniques with related rules, and their parents', () => {
    const columns = defenseColumns([
      {
        '@id': 'd3f:Top',
        children: [{ '@id': 'd3f:A', children: [{ '@id': 'd3f:B', children: [{ '@id': 'd3f:C' }] }] }],
      },
      { '@id': 'd3f:Other', children: [{ '@id': 'd3f:D', children: [{ '@id': 'd3f:E' }] }] },
    ])
    expect(countBelow(columns)).toBe(1)
    const names = onlyNamed(columns, new Set(['d3f:C'])).map((column) => cellsOf(column).map(({ name }) => name))
    expect(names).toEqual([['d3f:A', 'd3f:B', 'd3f:C'], []])
  })

  it('are exported as they are shown', () => {
    const technique = (name: string, label: string, children: Parameters<typeof defenseColumns>[0] = []) => ({
      '@id': name,
      'rdfs:label': label,
      'd3f:d3fend-id': `D3-${name}`,
      children,
    })
    const columns = defenseColumns([
      { '@id': 'd3f:Top', children: [technique('G', 'Group', [technique('A', '=A, "b"', [technique('B', 'Below')])])] },
    ])
    const count = (_cell: unknown, withBelow: boolean): number => (withBelow ? 3 : 1)
    const shown = { columns, words: [], withBelow: true, count, numberName: 'Attacks' }
    expect(columnsAsCsv(shown).split('\r\n')).toEqual([
      'Tactic,Group,Name,Id,Below,Attacks',
      'd3f:Top,,Group,D3-G,,1',
      `d3f:Top,Group,"'=A, ""b""",D3-A,,1`,
      `d3f:Top,Group,Below,D3-B,"'=A, ""b""",1`,
      '',
    ])
    const filtered = { ...shown, words: ['below'], withBelow: false, count: null }
    expect(columnsAsCsv(filtered).split('\r\n').slice(1, -1)).toEqual([`d3f:Top,Group,"'=A, ""b""",D3-A,`])
  })

  it('count distinct members of pairs', () => {
    const row = (a: string, b: string) => ({ a: { value: `x#${a}` }, b: { value: `x#${b}` } })
    const pairs = groupPairs([row('L', '1'), row('L', '1'), row('L', '2'), row('M', '1'), row('M', '3')], 'a', 'b')
    const cell = { label: '', id: null, definition: null, below: [] }
    const lock = { ...cell, name: 'd3f:L', below: [{ ...cell, name: 'd3f:M' }] }
    expect([countPairs(pairs, lock, false), countPairs(pairs, lock, true)]).toEqual([2, 3])
    expect(countPairs(pairs, { ...cell, name: 'd3f:N' }, true)).toBe(0)
  })
})

describe('The tree of techniques', () => {
  it('has each below its superclass, and ends at cycles', () => {
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

  it('shows its statements and those that refer to it, even through blank nodes', () => {
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
    const values = (property: string) => shown.properties.find(({ property: { name } }) => name === property)?.values
    expect(values('rdf:type')).toMatchObject([{ name: 'owl:Class' }])
    expect(values('d3f:seen')).toMatchObject([
      { text: 'ja', note: 'de' },
      { kind: 'resource', name: 'http://x.example/a b' },
    ])
    expect(JSON.stringify(values('d3f:loop'))).toContain('…')
    expect(shown.about).toMatchObject([{ property: { name: 'owl:someValuesFrom' }, values: [{ name: 'd3f:Lock' }] }])
  })

  it('without a name is shown by its IRI', () => {
    const shown = shapeSubject('http://x.example/', [{ '@id': 'http://x.example/' }])
    expect(shown).toMatchObject({ name: 'http://x.example/', label: null, properties: [], about: [] })
  })
})

describe('The tree beside a record', () => {
  const item = (name: string, ...below: readonly TreeItem[]): TreeItem => ({ name, label: name, to: name, below })
  const items = [item('Locking', item('Account'), item('Door', item('Lock'))), item('Hashing', item('File'))]
  const namesIn = (treeItems: readonly TreeItem[]): readonly unknown[] =>
    treeItems.map(({ name, below }) => [name, ...namesIn(below)])

  it('is open down to the children of the record', () => {
    expect(namesIn(openAround(items, 'Locking'))).toEqual([['Locking', ['Account'], ['Door']], ['Hashing']])
    expect(namesIn(openAround(items, 'Door'))).toEqual([['Locking', ['Account'], ['Door', ['Lock']]], ['Hashing']])
  })

  it('shows matches of the filter and their parents', () => {
    expect(namesIn(matchingItems(items, ['file']))).toEqual([['Hashing', ['File']]])
    expect(namesIn(matchingItems(items, ['lock']))).toEqual([['Locking', ['Door', ['Lock']]]])
  })
})

describe('The techniques that counter an attack', () => {
  const row = (tactic: string, touched: string) => {
    const texts = {
      def_tech: `x#${tactic}Files`,
      def_tech_label: `${tactic} Files`,
      def_tactic: `x#${tactic}`,
      def_tactic_label: tactic,
      def_artifact: 'x#File',
      def_artifact_label: 'File',
      def_artifact_rel_label: 'analyzes',
      off_artifact_label: touched,
      off_artifact_rel_label: 'may-create',
    }
    return Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, { value }]))
  }

  it('are grouped by tactic in the order of the matrix, with what the attack touches', () => {
    const rows = [row('Detect', 'File'), row('Detect', 'Log File'), row('Zeal', 'File'), row('Harden', 'File')]
    const groups = groupDefenses(shapeDefenses(rows))
    expect(groups.map(({ tactic, defenses }) => [tactic.label, defenses.length])).toEqual([
      ['Harden', 1],
      ['Detect', 1],
      ['Zeal', 1],
    ])
    expect(groups[1]?.defenses[0]?.ways).toMatchObject([
      { relation: 'analyzes', touches: ['may create it', 'may create Log File'] },
    ])
  })
})
