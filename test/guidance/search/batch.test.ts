import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { batchAnswer } from '../../../src/guidance/search/batch/answer.ts'
import { storeAttack } from '../../support/attack-bundle.ts'
import { store } from '../../support/catalogue.ts'
import { storeCwe } from '../../support/cwe.ts'
import { guidanceService, type Answer } from '../../support/guidance.ts'
import { matching } from '../../support/matchers.ts'
import { cciList, storeCciList, storeOscal } from '../../support/reference-data.ts'
import { STARTER } from '../../support/service.ts'

const BASE = 'https://guidance.example'
const under = guidanceService({ SERVICE_BASE_URL: BASE }, undefined, STARTER)
const bare = guidanceService()

type Batch = z.infer<typeof batchAnswer>
type Item = Batch['items'][number]

function ask(ids: readonly unknown[], view?: string): Promise<Answer> {
  return under().nobody.call('POST', '/api/batch', { body: { ids, view } })
}

async function batch(ids: readonly string[], view?: string): Promise<Batch> {
  const { status, body } = await ask(ids, view)
  expect([status, body]).toEqual([200, body])
  return batchAnswer.parse(body)
}

async function only(id: string): Promise<Item> {
  const [item] = (await batch([id])).items
  if (item === undefined) throw new Error('The answer is empty')
  return item
}

beforeAll(async () => {
  const first = { id: 'SV-1r1_rule', cci: ['CCI-000015'] }
  const second = { id: 'SV-12r2_rule', cci: ['CCI-000044'] }
  await store(under(), { id: 'Kettle_STIG', rules: [first, { id: 'SV-7r1_rule', cci: [] }] })
  await store(under(), { id: 'Kettle_STIG', release: '2', rules: [first, second] })
  await store(under(), { id: 'Pot_STIG', rules: [first] })
  await store(under(), {
    id: 'Kettle_SRG',
    kind: 'srg',
    rules: [{ id: 'SV-99r1_rule', version: 'SRG-TEA-000001', legacy: ['V-98765'] }],
  })
  await under().service.guidance.prepareSearch()
})

describe('A batch of identifiers', () => {
  it.each([
    ['d3f:AccountLocking', 'technique', 'd3f:AccountLocking', '/api/technique/d3f:AccountLocking.json'],
    ['AccountLocking', 'technique', 'd3f:AccountLocking', '/api/technique/d3f:AccountLocking.json'],
    ['D3-AL', 'technique', 'd3f:AccountLocking', '/api/technique/d3f:AccountLocking.json'],
    ['account locking', 'technique', 'd3f:AccountLocking', '/api/technique/d3f:AccountLocking.json'],
    [
      'http://d3fend.mitre.org/ontologies/d3fend.owl#AccountLocking',
      'technique',
      'd3f:AccountLocking',
      '/api/technique/d3f:AccountLocking.json',
    ],
    ['t1110', 'offensive-technique', 'd3f:T1110', '/api/offensive-technique/attack/T1110.json'],
    ['CWE 79', 'weakness', 'd3f:CWE-79', '/api/weakness/cwe/CWE-79.json'],
    ['File', 'artifact', 'd3f:File', '/api/dao/artifact/d3f:File.json'],
    ['d3f:Harden', 'tactic', 'd3f:Harden', '/api/tactic/d3f:Harden.json'],
    ['enables', 'resource', 'd3f:enables', '/api/ontology/describe/d3f:enables.json'],
  ])('finds %s and links to the whole record', async (asked, ...expected) => {
    const [kind, name, path] = expected
    const item = await only(asked)
    expect(item).toMatchObject({ asked, problem: null, record: { kind, name, path } })
    expect((await under().nobody.call('GET', path)).status).toBe(200)
  })

  it('knows the control of a CCI, however it is written, also one that the release does not have', async () => {
    const { items } = await batch(['CCI-000015', 'cci 15', `${BASE}/ccis/CCI-000015`, 'CCI-000001'])
    expect(items.map(({ record }) => [record?.kind, record?.id, record?.control])).toEqual([
      ['cci', 'CCI-000015', 'AC-2 (1)'],
      ['cci', 'CCI-000015', 'AC-2 (1)'],
      ['cci', 'CCI-000015', 'AC-2 (1)'],
      ['cci', 'CCI-000001', 'AC-1 a 1'],
    ])
  })

  it('has the definition of the list that is loaded for a CCI that the ontology has no text of', async () => {
    const asked = ['CCI-000015', 'CCI-000001', 'cci 1']
    const texts = async (): Promise<readonly unknown[]> => (await batch(asked)).items.map(({ record }) => record?.text)
    const [known] = await texts()
    expect(known).not.toBe('')
    expect(await texts()).toEqual([known, '', ''])
    const list = cciList([{ id: 'CCI-000015' }, { id: 'CCI-000001' }])
    await storeCciList(under().service.guidance.database, list)
    expect(await texts()).toEqual([known, 'What CCI-000001 asks for.', 'What CCI-000001 asks for.'])
  })

  it('finds items of reference data that the ontology does not have, as they are written or by IRI', async () => {
    const { database } = under().service.guidance
    await storeAttack(database)
    await storeCwe(database)
    const asked = ['t9001', 'M9001', 'TA9001', `${BASE}/attack/T9001.001`, 'cwe 901', `${BASE}/cwe/CWE-910`, 'T9002']
    const { items, found } = await batch(asked)
    expect(found).toBe(asked.length)
    expect(items.map(({ record }) => [record?.kind, record?.id, record?.path])).toEqual([
      ['offensive-technique', 'T9001', '/api/catalogue/attack/T9001.json'],
      ['resource', 'M9001', '/api/catalogue/attack/M9001.json'],
      ['tactic', 'TA9001', '/api/catalogue/attack/TA9001.json'],
      ['offensive-technique', 'T9001.001', '/api/catalogue/attack/T9001.001.json'],
      ['weakness', 'CWE-901', '/api/catalogue/cwe/CWE-901.json'],
      ['resource', 'CWE-910', '/api/catalogue/cwe/CWE-910.json'],
      ['offensive-technique', 'T9002', '/api/catalogue/attack/T9002.json'],
    ])
    for (const { record } of items) expect((await under().nobody.call('GET', record?.path ?? '')).status).toBe(200)
    expect(items[0]?.record).toMatchObject({
      iri: `${BASE}/attack/T9001`,
      label: 'Pour Over',
      tactics: [{ id: `${BASE}/attack/TA9001`, label: 'Spilling' }],
      domain: 'enterprise-attack',
    })
    expect(items[4]?.record).toMatchObject({ synonyms: ['Dry Tea'], text: 'The pot has no water.' })
    expect(items[6]?.record).toMatchObject({
      deprecated: true,
      successors: [{ iri: `${BASE}/attack/T9001`, id: 'T9001', label: 'Pour Over' }],
    })
    const whole = (await batch(['T9001'], 'whole')).items[0]
    expect([whole?.whole, whole?.whole_in]).toEqual([null, 'path'])
  })

  it('finds rules by each of their ids, of each product the newest release that has it', async () => {
    const iri = `${BASE}/benchmarks/Kettle_STIG/V1R1/rules/SV-1r1_rule`
    const { items } = await batch(['SV-1r1_rule', 'sv-1', 'SV-12', 'SV-7r1', 'SV-99', 'srg-tea-000001', 'V-98765', iri])
    const shown = items.map(({ record }) => [
      record?.kind,
      record?.identifiers[0],
      record?.benchmark?.benchmark_id,
      record?.benchmark?.version,
    ])
    expect(shown).toEqual([
      ['rule', 'SV-1r1_rule', 'Kettle_STIG', 'V1R2'],
      ['rule', 'SV-1r1_rule', 'Kettle_STIG', 'V1R2'],
      ['rule', 'SV-12r2_rule', 'Kettle_STIG', 'V1R2'],
      ['rule', 'SV-7r1_rule', 'Kettle_STIG', 'V1R1'],
      ['requirement', 'SV-99r1_rule', 'Kettle_SRG', 'V1R1'],
      ['requirement', 'SV-99r1_rule', 'Kettle_SRG', 'V1R1'],
      ['requirement', 'SV-99r1_rule', 'Kettle_SRG', 'V1R1'],
      ['rule', 'SV-1r1_rule', 'Kettle_STIG', 'V1R1'],
    ])
    expect(items[0]?.also.map(({ id, path }) => [id, path])).toEqual([
      ['SV-1r1_rule', expect.stringMatching(/^\/stigs\/\d+$/)],
    ])
    const [group = '', version = ''] = items[2]?.record?.identifiers.slice(1) ?? []
    for (const id of [group, version]) expect((await only(id)).record?.identifiers[0]).toBe('SV-12r2_rule')
  })

  it('answers in order, repeats repeated identifiers, and has a problem for unknown ones', async () => {
    const { asked, found, items, ontology } = await batch(['D3-AL', 'T9999', '', 'D3-AL', ' D3-AL '])
    expect([asked, found, ontology?.version]).toEqual([5, 3, '0.1.0-starter'])
    expect(items.map((item) => item.asked)).toEqual(['D3-AL', 'T9999', '', 'D3-AL', ' D3-AL '])
    expect(items.map(({ problem }) => problem?.code)).toEqual([
      undefined,
      'subject_not_found',
      'parameter_missing',
      undefined,
      undefined,
    ])
    expect(items[3]?.record).toEqual(items[0]?.record)
  })

  it('suggests near identifiers', async () => {
    const { problem } = await only('AcountLocking')
    expect(problem?.code).toBe('subject_not_found')
    expect(problem?.['did_you_mean']).toContain('D3-AL')
  })

  it.each([
    ['SV-1r2_rule', 'SV-1r1_rule'],
    ['SV-99r7', 'SV-99r1_rule'],
    ['SRG-TEA-00001', 'SRG-TEA-000001'],
    ['SRG-TAE-000001', 'SRG-TEA-000001'],
    ['CCI-0000151', 'CCI-000015'],
    ['CIC-000015', 'CCI-000015'],
    ['T1110.0009', 'T1110.001'],
  ])('suggests identifiers near an unknown one: %s', async (asked, meant) => {
    const { problem } = await only(asked)
    expect(problem?.code).toBe('subject_not_found')
    expect(problem?.['did_you_mean']).toContain(meant)
  })

  it('does not suggest identifiers that share only their form', async () => {
    expect((await only('SV-123456789')).problem).not.toHaveProperty('did_you_mean')
  })

  it('returns whole records like their own paths', async () => {
    const { items } = await batch(['D3-AL', 'SV-1', 'nobody knows this', 'T1110'], 'whole')
    const answer = await under().nobody.call('GET', '/api/technique/d3f:AccountLocking.json')
    expect(items[0]?.whole).toEqual(answer.body)
    expect(items[1]?.whole).toBeNull()
    expect(items[2]?.whole).toBeNull()
    expect(items[3]?.whole).toHaveProperty('off_to_def')
    const places = items.map((item) => item.whole_in)
    expect(places).toEqual(['item', 'path', null, 'item'])
  })

  it('accepts up to 1,000 identifiers and answers a GET alike', async () => {
    const many = Array.from({ length: 998 }, (_, index) => `SV-${index}`)
    const odd = ["' or 1=1 --", 'x'.repeat(2000)]
    const { items, found } = await batch([...many, ...odd])
    expect([items.length, found]).toEqual([1000, 4])
    expect(items.at(-1)?.problem?.code).toBe('identifier_too_long')
    const get = await under().nobody.call('GET', '/api/batch?ids=D3-AL,sv-1&ids=T1110')
    expect(batchAnswer.parse(get.body).items.map(({ record }) => record?.kind)).toEqual([
      'technique',
      'rule',
      'offensive-technique',
    ])
  })

  it('refuses an empty list, too many identifiers, and values that are no texts', async () => {
    expect((await ask([])).status).toBe(422)
    expect((await ask(Array.from({ length: 1001 }, () => 'D3-AL'))).status).toBe(422)
    expect((await ask([17])).status).toBe(422)
    const codes = ['/api/batch', `/api/batch?ids=${'a,'.repeat(1001)}`].map(async (path) => {
      return (await under().nobody.call('GET', path)).status
    })
    expect(await Promise.all(codes)).toEqual([400, 400])
  })

  it('is answered without an ontology', async () => {
    await store(bare(), { id: 'Kettle_STIG', rules: [{ id: 'SV-1r1_rule', cci: [] }] })
    const body = { ids: ['SV-1', 'CCI-000015', 'D3-AL'] }
    const { body: answer } = await bare().nobody.call('POST', '/api/batch', { body })
    const { ontology, items } = batchAnswer.parse(answer)
    expect(ontology).toBeNull()
    expect(items.map(({ record }) => record?.kind)).toEqual(['rule', 'cci', undefined])
    await storeOscal(bare().service.guidance.database)
    const { body: loaded } = await bare().nobody.call('POST', '/api/batch', { body: { ids: ['ac-2.1'] } })
    expect(batchAnswer.parse(loaded).items[0]?.record).toMatchObject({
      kind: 'control',
      id: 'AC-2(1)',
      iri: matching(/\/controls\/AC-2%20%281%29$/),
      path: '/api/catalogue/controls/AC-2(1).json',
    })
  })
})
