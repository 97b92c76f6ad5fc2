// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { attackBundle, collection, storeAttack, technique } from '../../../support/attack-bundle.ts'
import { store } from '../../../support/catalogue.ts'
import { guidanceService, type Answer } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import { cciList, storeCciList } from '../../../support/reference-data.ts'
import { STARTER } from '../../../support/service.ts'

const guidance = guidanceService({}, undefined, STARTER)
const bare = guidanceService()

function ask(path: string, under = guidance()): Promise<Answer> {
  return under.nobody.call('GET', `/api/catalogue/attack/${path}`)
}

beforeAll(async () => {
  const rules = [
    { id: 'SV-1r1_rule', version: 'TEAP-01', severity: 'high', cci: ['CCI-000774', 'CCI-000366', 'CCI-001356'] },
    { id: 'SV-2r1_rule', version: 'TEAP-02', cci: ['CCI-999999'] },
  ]
  await store(guidance(), { rules })
  await store(guidance(), { release: '2', rules })
})

const PASSWORD = {
  attack: { id: 'T1110.001', name: 'd3f:T1110.001', label: 'Password Guessing' },
  ontology: { version: '0.1.0-starter' },
  severity_counts: { high: 1, medium: 0, low: 0 },
  benchmarks: [
    {
      benchmark_id: 'Teapot_STIG',
      version: 'V1R2',
      rule_count: 1,
      rules: [{ rule_id: 'SV-1r1_rule', ccis: ['CCI-000774', 'CCI-001356'] }],
    },
  ],
}

const leading = z.object({
  techniques: z.array(
    z.object({ id: z.string(), paths: z.array(z.array(z.string())), ccis: z.array(z.record(z.string(), z.unknown())) }),
  ),
})

const withControls = z.object({
  techniques: z.array(z.object({ nist_controls: z.array(z.object({ label: z.string(), is_known: z.boolean() })) })),
})

async function isControlKnown(wanted: string): Promise<readonly boolean[]> {
  const { techniques } = withControls.parse((await ask('t1110.001/guidance.json')).body)
  const controls = techniques.flatMap(({ nist_controls: nistControls }) => nistControls)
  return controls.filter(({ label }) => label === wanted).map(({ is_known: isKnown }) => isKnown)
}

describe('The guidance of an attack', () => {
  it('leads by techniques and their CCIs to rules of the newest releases', async () => {
    const { status, body } = await ask('t1110.001/guidance.json')
    expect([status, body]).toMatchObject([200, PASSWORD])
    const { techniques } = leading.parse(body)
    const otp = techniques.find(({ id }) => id === 'd3f:One-timePassword')
    expect(otp?.paths).toEqual([['d3f:T1110.001', 'accesses', 'd3f:Password', '^use-limits', 'd3f:One-timePassword']])
    expect(otp?.ccis).toContainEqual({
      cci: 'CCI-000774',
      cci_control: 'IA-2 (8)',
      relation: 'narrower',
      control: 'd3f:CCI-000774_v2022-04-05',
      is_known: false,
    })
    const rotation = techniques.find(({ id }) => id === 'd3f:CredentialRotation')
    expect(rotation?.paths[0]?.slice(2, 6)).toEqual([
      'd3f:Password',
      'rdfs:subClassOf+',
      'd3f:Credential',
      '^regenerates',
    ])
  })

  it('says which controls of a technique can be looked up', async () => {
    expect(await isControlKnown('AC-23')).toEqual([false])
    await storeCciList(guidance().service.guidance.database, cciList([{ id: 'CCI-000774', places: { 5: 'AC-23' } }]))
    expect(await isControlKnown('AC-23')).toEqual([true])
    const { techniques } = leading.parse((await ask('t1110.001/guidance.json')).body)
    const ccis = techniques.flatMap((technique) => technique.ccis)
    const shown = ccis.map(({ cci, is_known: isKnown }) => [cci, isKnown])
    expect(shown).toContainEqual(['CCI-000774', true])
    expect(shown).toContainEqual(['CCI-001356', false])
  })

  it.each(['T9999', 'D3-AL', '%00', 'x'.repeat(300)])(
    'refuses an id that is not an attack of the ontology: %s',
    async (name) => {
      const { status } = await ask(`${name}/guidance.json`)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    },
  )

  it('is refused without an ontology', async () => {
    const { status, body } = await ask('T1110/guidance.json', bare())
    expect([status, body]).toMatchObject([503, { code: 'no_release', detail: containing('ontology') }])
  })
})

describe('A technique of ATT&CK', () => {
  const BUNDLE = attackBundle([
    collection('18.1'),
    technique('T1110.001', 'Password Guessing'),
    technique('T9404', 'Tilt'),
  ])

  it('has the guidance that the ontology leads to', async () => {
    await storeAttack(guidance().service.guidance.database, BUNDLE)
    const { body } = await ask('T1110.001.json')
    expect(body).toMatchObject({ id: 'T1110.001', domain: 'Enterprise', guidance: PASSWORD })
  })

  it('has none where the ontology does not have it, or there is no ontology', async () => {
    expect((await ask('T9404.json')).body).toMatchObject({ id: 'T9404', guidance: null })
    await storeAttack(bare().service.guidance.database, BUNDLE)
    expect((await ask('T1110.001.json', bare())).body).toMatchObject({ id: 'T1110.001', guidance: null })
  })
})
