import { describe, expect, it } from 'vitest'
import { authoredChoices } from '../../src/web/application/coverage/authored.ts'
import { columnsOf, legendOf, shadeOf } from '../../src/web/application/coverage/matrix.ts'
import { openedOf } from '../../src/web/application/coverage/opened-record.ts'
import { withChosen } from '../../src/web/application/coverage/question.ts'
import type { CoverageReport } from '../../src/web/application/coverage/report.ts'
import { coverageParameters, readChosen } from '../../src/web/paths/coverage.ts'

const HARDEN = { id: 'd3f:Harden', label: 'Harden' }
const ACCESS = { id: 'd3f:Access', label: 'Access' }
const lock = { iri: 'l', id: 'd3f:Lock', d3fend_id: 'D3-L', label: 'Lock', tactics: [HARDEN], counters: 1 }
const seal = { iri: 's', id: 'd3f:Seal', d3fend_id: 'D3-S', label: 'Seal', tactics: [HARDEN] }
const attack = { tactics: [ACCESS], domain: 'enterprise-attack' as const }
const pick = { ...attack, iri: 'p', id: 'd3f:T1', attack_id: 'T1', label: 'Pick' }
const pry = { ...attack, iri: 'y', id: 'd3f:T2', attack_id: 'T2', label: 'Pry' }
const door = { id: 'd3f:Door', label: 'Door' }

const source = {
  kind: 'stig',
  id: 7,
  name: 'Door_STIG',
  title: 'Door STIG',
  version: 'V1R1',
  path: '/stigs/7',
  rule_count: 1,
  linked_rule_count: 1,
} as const
const summary = {
  rules: { linked: 1, total: 1 },
  defensive_techniques: { covered: 1, total: 2 },
  offensive_techniques: { covered: 1, total: 2 },
}
const sum = { techniques: { covered: 1, total: 2 }, rules: 1, domain: null }
const counterPath = {
  by: { ...door, is: 'itself' },
  relation: 'hardens',
  artifact: door,
  attack_artifact: { ...door, is: 'itself' },
  attack_relation: 'opens',
} as const

const REPORT: CoverageReport = {
  ontology: { version: '1', digest: '', cci_count: 1, domains: ['enterprise-attack'] },
  linking_releases: [],
  meaning: '',
  note: null,
  sources: [source],
  summary,
  rules: [
    {
      source: 0,
      rule_id: 'SV-1',
      title: 'Lock it',
      severity: 'high',
      status: null,
      ccis: ['CCI-1'],
      path: '/stigs/7',
      links: [
        { technique: 'd3f:Lock', cci: 'CCI-1', relation: 'broader' },
        { technique: 'd3f:Else', cci: 'CCI-1', relation: 'exactly' },
      ],
    },
  ],
  defensive_techniques: [{ ...lock, rules: [0], relations: { broader: 1 } }],
  offensive_techniques: [{ ...pick, rules: [0], defenses: [{ technique: 'd3f:Lock', ways: [counterPath] }] }],
  tactics: { defensive: [{ ...HARDEN, ...sum }], offensive: [{ ...ACCESS, ...sum }] },
  gaps: {
    rules: [],
    ccis: [],
    defensive_techniques: [seal],
    offensive_techniques: [{ ...pry, techniques: ['d3f:Seal'] }],
  },
  comparison: {
    against: [source],
    summary,
    defensive_techniques: {
      both: 0,
      added: [{ id: 'd3f:Lock', label: 'Lock', rules: [] }],
      lost: [{ id: 'd3f:Seal', label: 'Seal', rules: [] }],
    },
    offensive_techniques: { both: 1, added: [], lost: [] },
  },
}

describe('The matrix of coverage', () => {
  it('has covered cells first in each tactic, with the strength of their paths', () => {
    expect(columnsOf(REPORT, 'd3fend')).toEqual([
      {
        ...HARDEN,
        sum: '1 of 2',
        percent: 50,
        rules: 1,
        cells: [
          {
            id: 'd3f:Lock',
            code: 'D3-L',
            label: 'Lock',
            rules: 1,
            shade: 5,
            isLoose: true,
            change: 'added',
            isSub: false,
            isShown: true,
          },
          {
            id: 'd3f:Seal',
            code: 'D3-S',
            label: 'Seal',
            rules: 0,
            shade: 0,
            isLoose: false,
            change: 'lost',
            isSub: false,
            isShown: true,
          },
        ],
      },
    ])
    const [column] = columnsOf(REPORT, 'attack')
    expect(column?.cells).toMatchObject([
      { code: 'T1', rules: 1, isLoose: true, change: null },
      { code: 'T2', rules: 0, isLoose: false },
    ])
  })

  it('has parts of an attack below it, and families by their most rules', () => {
    const part = { ...pry, id: 'd3f:T2.001', attack_id: 'T2.001', label: 'Pry slowly', rules: [0], defenses: [] }
    const lone = { ...pick, id: 'd3f:T3.001', attack_id: 'T3.001', label: 'Lone', techniques: [] }
    const { gaps } = REPORT
    const [column] = columnsOf(
      {
        ...REPORT,
        offensive_techniques: [part],
        gaps: { ...gaps, offensive_techniques: [lone, ...gaps.offensive_techniques] },
      },
      'attack',
    )
    expect(column?.cells.map(({ code, isSub, isShown }) => [code, isSub, isShown])).toEqual([
      ['T2', false, true],
      ['T2.001', true, true],
      ['T3.001', false, false],
    ])
  })

  it('has five shades, from one rule to the most', () => {
    expect([0, 1, 3, 10, 30, 100].map((rules) => shadeOf(rules, 100))).toEqual([0, 1, 2, 3, 4, 5])
  })
})

describe('An opened cell', () => {
  it('has rules by the links that lead to it alone, and the rest of the path', () => {
    const expected = {
      rules: [
        {
          ruleId: 'SV-1',
          document: 'Door STIG V1R1',
          path: '/benchmarks/Door_STIG/V1R1/rules/SV-1',
          links: [{ cci: 'CCI-1', technique: { id: 'd3f:Lock', label: 'Lock' } }],
        },
      ],
      ways: [{ technique: { label: 'Lock' }, artifact: door, attack: { code: 'T1' } }],
    }
    expect(openedOf(REPORT, 'd3f:Lock')).toMatchObject({ kind: 'technique', ...expected })
    expect(openedOf(REPORT, 'd3f:T1')).toMatchObject({ kind: 'attack', ...expected })
  })

  it('names the techniques that would fill a gap, and is null for unknown ids', () => {
    expect(openedOf(REPORT, 'd3f:T2')).toMatchObject({
      rules: [],
      ways: [],
      defenders: [{ id: 'd3f:Seal', label: 'Seal' }],
    })
    expect(openedOf(REPORT, 'd3f:None')).toBeNull()
  })
})

describe('The question of an address', () => {
  const query = { stig: ['1', '2,2'], srg: '', against_stig: '3', open: 'd3f:Lock' }

  it('accepts values separated by commas or repeated, each once', () => {
    expect(coverageParameters(query)).toEqual({ stig: '1,2', against_stig: '3' })
    expect(readChosen({ stig: null }, '')).toEqual([])
  })

  it('changes only one side', () => {
    const kept = readChosen(query, '').slice(1)
    expect(coverageParameters({ ...query, stig: '2' })).toEqual({ stig: '2', against_stig: '3' })
    expect(withChosen(query, '', kept)).toMatchObject({ stig: ['2'], open: 'd3f:Lock' })
    expect(withChosen(query, 'against_', [])).toMatchObject({ against_stig: undefined })
  })
})

describe('Authored guidance', () => {
  const component = (id: number, project_id: number) => ({
    id,
    name: `Tea ${id}`,
    version: 1,
    release: null,
    project_id,
  })

  it('can be chosen by project and by component, each once', () => {
    const choices = authoredChoices(
      [
        { id: 1, name: 'Kettles' },
        { id: 2, name: 'Nothing yet' },
      ],
      [component(5, 1), { ...component(6, 3), release: 2 }],
    )
    expect(choices.map(({ kind, id, title }) => `${kind} ${id} ${title}`)).toEqual([
      'project 1 Kettles',
      'component 5 Tea 5 V1 (Kettles)',
      'component 6 Tea 6 V1R2',
    ])
  })
})

describe('The legend of the shades', () => {
  it('gives the number of rules of each shade, without gaps and as in the cells', () => {
    const numbers = [1, 2, 5, 32]
    const techniques = numbers.map((count) => ({
      ...lock,
      id: `d3f:Lock${count}`,
      relations: {},
      rules: Array.from({ length: count }, (_none, index) => index),
    }))
    const report = { ...REPORT, defensive_techniques: techniques }
    const legend = legendOf(report, 'd3fend')
    expect(legend.map(({ rules }) => rules)).toEqual(['0', '1', '2–3', '4–8', '9–20', '21–32'])
    expect(legend.map(({ shade }) => shade)).toEqual([0, 1, 2, 3, 4, 5])
    const shadeOfCell = new Map(
      columnsOf(report, 'd3fend').flatMap(({ cells }) => cells.map((cell) => [cell.rules, cell.shade])),
    )
    expect(numbers.map((count) => shadeOfCell.get(count))).toEqual([1, 2, 3, 5])
  })

  it('has only the needed lines if no rule or one rule is linked', () => {
    const none = { ...REPORT, defensive_techniques: [] }
    expect(legendOf(none, 'd3fend')).toEqual([{ shade: 0, rules: '0' }])
    expect(legendOf(REPORT, 'd3fend').map(({ rules }) => rules)).toEqual(['0', '1'])
  })
})

it('The address names the release, which goes to the API and to downloads', () => {
  expect(coverageParameters({ stig: '7', release: '0.17.0' })).toEqual({ stig: '7', release: '0.17.0' })
  expect(coverageParameters({ stig: '7', release: '' })).toEqual({ stig: '7' })
})
