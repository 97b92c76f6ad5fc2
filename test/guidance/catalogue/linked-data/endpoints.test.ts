import { describe, expect, it } from 'vitest'
import { D3F } from '../../../../src/graph/vocabulary.ts'
import { deleteBenchmark } from '../../../../src/guidance/catalogue/benchmarks/writer.ts'
import { countermeasuresSchema } from '../../../../src/guidance/catalogue/linked-data/countermeasures/countermeasures.ts'
import { techniqueGuidanceSchema } from '../../../../src/guidance/catalogue/linked-data/countermeasures/technique-guidance.ts'
import { techniqueRuleCountsSchema } from '../../../../src/guidance/catalogue/linked-data/countermeasures/technique-rule-counts.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { BASE, benchmarkOf, controlsOf, ruleOf } from './sample.ts'
import { RULES, under, type Under } from './under.ts'

describe('The countermeasures of a benchmark', () => {
  it('are the techniques that its rules are linked to, in document order', async () => {
    const { ask, store: put } = await under()
    const id = await put(benchmarkOf({ rules: RULES }))
    const answer = await ask('getStigCountermeasures', { params: { id: String(id) } })
    expect(answer).toMatchObject({
      benchmark: { id, kind: 'stig', benchmark_id: 'Test_STIG', version: 'V1R1' },
      ontology: { version: '1.0.0', digest: 'a'.repeat(64) },
      rule_count: 3,
      linked_rule_count: 2,
    })
    const { benchmark, rules } = countermeasuresSchema.parse(answer)
    expect(benchmark.iri).toBe(`${BASE}/benchmarks/Test_STIG/V1R1`)
    expect(rules.map((rule) => rule.rule_id)).toStrictEqual(['SV-2_rule', 'SV-3_rule'])
    expect(rules[0]).toMatchObject({ version: 'T-2', severity: 'high', iri: `${benchmark.iri}/rules/SV-2_rule` })
    expect(rules[0]?.links.map((link) => link.path)).toStrictEqual([
      ['SV-2_rule', 'CCI-000015', 'broader', 'd3f:AccountLocking'],
      ['SV-2_rule', 'CCI-000044', 'exactly', 'd3f:AccountLocking'],
      ['SV-2_rule', 'CCI-000015', 'broader', 'd3f:LocalAccountMonitoring'],
    ])
    expect(rules[1]?.links).toStrictEqual([
      {
        technique: {
          iri: `${D3F}AccountLocking`,
          id: 'd3f:AccountLocking',
          d3fend_id: 'D3-AL',
          label: 'Account Locking',
          nist_controls: [{ id: 'd3f:NIST_AC-2_1', label: 'AC-2(1)', relation: 'narrower' }],
        },
        relation: 'exactly',
        cci: 'CCI-000044',
        cci_control: 'AC-7 a',
        control: 'd3f:CCI-000044_v2022',
        path: ['SV-3_rule', 'CCI-000044', 'exactly', 'd3f:AccountLocking'],
      },
    ])
  })

  it('require a benchmark of the given kind', async () => {
    const { ask, store: put } = await under()
    const params = { id: String(await put(benchmarkOf({ kind: 'srg' }))) }
    expect(await ask('getSrgCountermeasures', { params })).toMatchObject({ linked_rule_count: 1 })
    const wrong = await refusalOf(() => ask('getStigCountermeasures', { params }))
    expect(wrong.code).toBe('not_found')
    const none = await refusalOf(() => ask('getSrgCountermeasures', { params: { id: '99' } }))
    expect(none.code).toBe('not_found')
    const odd = await refusalOf(() => ask('getSrgCountermeasures', { params: { id: '1x' } }))
    expect(odd.code).toBe('not_found')
  })

  it('are empty without an ontology', async () => {
    const { ask, ontology, store: put } = await under()
    ontology.release = null
    const params = { id: String(await put(benchmarkOf())) }
    expect(await ask('getStigCountermeasures', { params })).toMatchObject({
      ontology: null,
      rule_count: 2,
      linked_rule_count: 0,
      rules: [],
    })
  })

  it('follow changes of the catalogue', async () => {
    const { ask, database, store: put } = await under()
    const params = { id: String(await put(benchmarkOf())) }
    const countermeasures = (): Promise<unknown> => ask('getStigCountermeasures', { params })
    expect(await countermeasures()).toMatchObject({ linked_rule_count: 1 })
    await put(benchmarkOf({ rules: RULES }))
    expect(await countermeasures()).toMatchObject({ rule_count: 3, linked_rule_count: 2 })
    await database.transact((writer) => deleteBenchmark(writer, { id: Number(params.id), kind: 'stig', actor: SYSTEM }))
    expect((await refusalOf(countermeasures)).code).toBe('not_found')
  })
})

describe('The guidance for a technique', () => {
  async function guided(): Promise<Under> {
    const service = await under()
    await service.store(benchmarkOf({ rules: RULES }))
    await service.store(benchmarkOf({ version: 'V1R10', rules: RULES.slice(0, 1) }))
    await service.store(benchmarkOf({ version: 'V1R9', rules: RULES }))
    await service.store(benchmarkOf({ benchmarkId: 'Another_STIG', rules: RULES }))
    return service
  }

  async function rulesOf(
    { ask }: Under,
    query: Readonly<Record<string, string>>,
    technique = 'D3-AL',
  ): Promise<readonly string[]> {
    const answer = await ask('getTechniqueGuidance', { params: { technique }, query })
    const { rules } = techniqueGuidanceSchema.parse(answer)
    return rules.map(({ rule_id, benchmark }) => `${benchmark.benchmark_id} ${benchmark.version} ${rule_id}`)
  }

  const LATEST = ['Another_STIG V1R1 SV-2_rule', 'Another_STIG V1R1 SV-3_rule', 'Test_STIG V1R10 SV-2_rule']

  it('uses the newest release of each product unless all are requested', async () => {
    const service = await guided()
    expect(await rulesOf(service, {})).toStrictEqual(LATEST)
    expect(await rulesOf(service, { releases: 'all' })).toStrictEqual([
      ...LATEST.slice(0, 2),
      'Test_STIG V1R1 SV-2_rule',
      'Test_STIG V1R1 SV-3_rule',
      'Test_STIG V1R9 SV-2_rule',
      'Test_STIG V1R9 SV-3_rule',
      'Test_STIG V1R10 SV-2_rule',
    ])
  })

  it('counts only links with the requested relations, and the rules of each relation', async () => {
    const service = await guided()
    const counts = async (query: Readonly<Record<string, string>>) =>
      techniqueGuidanceSchema.parse(
        await service.ask('getTechniqueGuidance', { params: { technique: 'D3-AL' }, query }),
      ).relation_counts
    const unfiltered = await counts({})
    expect(unfiltered).toEqual({ exactly: 3, broader: 2 })
    expect(await counts({ relation: 'broader' })).toEqual(unfiltered)
    expect((await rulesOf(service, { relation: 'broader' })).length).toBe(2)
    expect(await rulesOf(service, { relation: 'related' })).toEqual([])
    expect(await rulesOf(service, { relation: 'exactly,broader' })).toEqual(LATEST)
  })

  it('finds several CCIs in one ident and ignores similar texts', async () => {
    const service = await under()
    const rules = [
      ruleOf('SV-1_rule', ['see CCI-000366, CCI-000044']),
      ruleOf('SV-2_rule', ['CCI-0000441']),
      ruleOf('SV-3_rule', ['CCI-000044', 'CCI-000015 (CCI-000044)']),
    ]
    const id = String(await service.store(benchmarkOf({ rules })))
    const found = ['Test_STIG V1R1 SV-1_rule', 'Test_STIG V1R1 SV-3_rule']
    expect(await rulesOf(service, {})).toEqual(found)
    const answer = await service.ask('getStigCountermeasures', { params: { id } })
    const { rules: linked } = countermeasuresSchema.parse(answer)
    expect(linked.map(({ links }) => links.map(({ cci }) => cci))).toEqual([
      ['CCI-000044'],
      ['CCI-000015', 'CCI-000044', 'CCI-000015'],
    ])
  })

  it('explains the path of each rule', async () => {
    const { ask } = await guided()
    const answer = await ask('getTechniqueGuidance', { params: { technique: 'AccountLocking' } })
    const { technique, ontology, rules } = techniqueGuidanceSchema.parse(answer)
    expect(technique.id).toBe('d3f:AccountLocking')
    expect(ontology.version).toBe('1.0.0')
    expect(rules[0]?.links).toHaveLength(2)
    expect(rules[0]?.links[0]).toMatchObject({
      cci: 'CCI-000015',
      cci_control: 'AC-2 (1)',
      technique: { nist_controls: [{ label: 'AC-2(1)' }] },
    })
    expect(rules[0]?.benchmark.iri).toBe(`${BASE}/benchmarks/Another_STIG/V1R1`)
  })

  it('is divided into pages', async () => {
    const service = await guided()
    expect(await rulesOf(service, { per_page: '2', page: '1' })).toStrictEqual(LATEST.slice(0, 2))
    expect(await rulesOf(service, { per_page: '2', page: '2' })).toStrictEqual(LATEST.slice(2))
    const params = { technique: 'D3-AL' }
    expect(await service.ask('getTechniqueGuidance', { params })).toMatchObject({
      pagination: { page: 1, per_page: 100, total: 3 },
    })
    const query = { per_page: '2', page: '3' }
    const beyond = await refusalOf(() => service.ask('getTechniqueGuidance', { params, query }))
    expect(beyond.code).toBe('page_out_of_range')
    const odd = { releases: 'some' }
    const refused = await refusalOf(() => service.ask('getTechniqueGuidance', { params, query: odd }))
    expect(refused.code).toBe('parameter_invalid')
  })

  it('are as many as the list of techniques says', async () => {
    const service = await guided()
    const answer = await service.ask('listTechniqueRuleCounts', { query: {} })
    const { techniques } = techniqueRuleCountsSchema.parse(answer)
    expect(techniques.map(({ id, rule_count: count }) => [id, count])).toContainEqual(['d3f:AccountLocking', 3])
    for (const { id, rule_count: count } of techniques)
      expect([id, (await rulesOf(service, {}, id)).length]).toStrictEqual([id, count])
    service.ontology.release = null
    expect((await refusalOf(() => service.ask('listTechniqueRuleCounts', { query: {} }))).code).toBe('no_release')
  })

  it('is empty for a technique without linked rules', async () => {
    expect(await rulesOf(await guided(), {}, 'd3f:FileAnalysis')).toStrictEqual([])
  })

  it('is refused for an unknown technique and without an ontology', async () => {
    const { ask, ontology } = await guided()
    const asked = { params: { technique: 'd3f:AccountLokcing' } }
    const unknown = await refusalOf(() => ask('getTechniqueGuidance', asked))
    expect(unknown).toMatchObject({ code: 'subject_not_found', members: { did_you_mean: ['d3f:AccountLocking'] } })
    ontology.release = null
    expect((await refusalOf(() => ask('getTechniqueGuidance', asked))).code).toBe('no_release')
  })

  it('orders NIST controls by label', async () => {
    const service = await guided()
    const [first, ...others] = controlsOf().assertions
    if (first === undefined) throw new Error('There are no controls')
    const nist = { ...first, kind: `${D3F}NISTControl`, relation: `${D3F}related` }
    const assertions = [
      first,
      ...others,
      { ...nist, control: `${D3F}N2`, label: 'AC-9' },
      { ...nist, control: `${D3F}N1`, label: 'AC-10' },
    ]
    service.ontology.release = controlsOf({ assertions, digest: 'b'.repeat(64) })
    const answer = await service.ask('getTechniqueGuidance', { params: { technique: 'D3-AL' } })
    const { rules } = techniqueGuidanceSchema.parse(answer)
    const labels = rules[0]?.links[0]?.technique.nist_controls.map((control) => control.label)
    expect(labels).toStrictEqual(['AC-10', 'AC-2(1)', 'AC-9'])
  })
})
