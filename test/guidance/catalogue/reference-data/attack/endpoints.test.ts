// @module-tag database

import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { attackBundle, ATTACK, collection, storeAttack, technique } from '../../../../support/attack-bundle.ts'
import { guidanceService } from '../../../../support/guidance.ts'
import { matching } from '../../../../support/matchers.ts'

const guidance = guidanceService()

function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
  return guidance().nobody.call('GET', `/api/catalogue/attack/${path}`, { headers })
}

const database = () => guidance().service.guidance.database

const PERMISSION = 'This work is reproduced and distributed with the permission of The MITRE Corporation.'

/** A bundle of another domain. */
const MOBILE = attackBundle([collection('18.1'), technique('T9404', 'Tilt')]).replaceAll(
  '"mitre-attack"',
  '"mitre-mobile-attack"',
)

beforeEach(async () => {
  await database().transact((writer) => writer.deleteFrom('reference_sources').execute())
})

it.each(['all.json', 'T9001.json'])(
  'Without ATT&CK, %s is a 404 that names the command that loads it',
  async (path) => {
    const { status, body } = await ask(path)
    expect([status, body]).toMatchObject([
      404,
      { code: 'reference_data_absent', detail: matching(/npm run import -- enterprise-attack\.json/) },
    ])
  },
)

describe('A technique', () => {
  it('is answered whole, with its source and the line that its licence asks for', async () => {
    await storeAttack(database())
    const { status, headers, body } = await ask('t9001.json')
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
    expect(body).toMatchObject({
      type: 'technique',
      id: 'T9001',
      tactics: [{ id: 'TA9001', name: 'Spilling' }],
      platforms: ['Pot', 'Cup'],
      subtechniques: [{ id: 'T9001.001' }],
      mitigations: [{ id: 'M9001', text: 'A tray catches it.' }],
      detection: { strategies: [{ id: 'DET9001' }] },
      procedure_examples: [{ id: 'G9001', text: 'They pour at night.' }, { id: 'S9001' }],
      source: { kind: 'attack', title: 'ATT&CK Enterprise', version: '18.1', digest: matching(/^[0-9a-f]{64}$/) },
      attribution: `© 2026 The MITRE Corporation. ${PERMISSION}`,
    })
    expect((await ask('t9001.json', { 'If-None-Match': headers.etag ?? '' })).status).toBe(304)
  })

  it('names its parent, or its successor if it was revoked', async () => {
    await storeAttack(database())
    expect((await ask('T9001.001.json')).body).toMatchObject({ parent: { id: 'T9001' } })
    expect((await ask('T9002.json')).body).toMatchObject({ revoked: true, successor: { id: 'T9001' } })
  })

  it('comes from the newest version, or from the requested one', async () => {
    expect(await storeAttack(database())).toBe('imported')
    expect(await storeAttack(database())).toBe('already_imported')
    const older = [collection('17.1', '2025-05-06T00:00:00.000Z'), ...ATTACK]
    await storeAttack(database(), attackBundle(older).replaceAll('Pour Over', 'Pour'))
    await storeAttack(database(), attackBundle(ATTACK).replaceAll('Pour Over', 'Pour Out'))
    expect((await ask('T9001.json')).body).toMatchObject({ name: 'Pour Over', source: { version: '18.1' } })
    expect((await ask('T9001.json?version=17.1')).body).toMatchObject({ name: 'Pour' })
    expect((await ask('T9001.json?version=2026-01-02')).body).toMatchObject({ name: 'Pour Out' })
    expect((await ask('T9001.json?version=9')).body).toMatchObject({
      code: 'not_found',
      detail: matching(
        /^There is no version 9 of ATT&CK\. There is: ATT&CK Enterprise 18\.1, .* 2026-01-02, .* 17\.1\.$/,
      ),
    })
  })

  it('is found in any domain, and returns 404 if none has it', async () => {
    await storeAttack(database())
    await storeAttack(database(), MOBILE)
    expect((await ask('T9404.json')).body).toMatchObject({ domain: 'Mobile', source: { title: 'ATT&CK Mobile' } })
    const { status, body } = await ask('T0000.json')
    expect([status, body]).toMatchObject([
      404,
      { code: 'not_found', detail: matching(/^There is no T0000 in ATT&CK \w+ 18\.1, ATT&CK \w+ 18\.1\.$/) },
    ])
  })
})

it.each([
  ['TA9001', { type: 'tactic', techniques: [{ id: 'T9001' }] }],
  ['M9001', { type: 'mitigation', techniques: [{ id: 'T9001', text: 'A tray catches it.' }] }],
  ['Course-of-Action--t9001', { type: 'mitigation', attack_id: 'T9001' }],
])('%s is answered with its techniques', async (id, expected) => {
  await storeAttack(database())
  expect((await ask(`${id}.json`)).body).toMatchObject(expected)
})

it('All techniques of all domains are listed, and the bundles among the lists', async () => {
  await storeAttack(database())
  await storeAttack(database(), MOBILE)
  const { body } = await ask('all.json')
  const { techniques } = z.object({ techniques: z.array(z.looseObject({ id: z.string() })) }).parse(body)
  expect(techniques.map(({ id }) => id).sort()).toEqual(['T9001', 'T9001.001', 'T9002', 'T9003', 'T9404'])
  expect(techniques.find(({ id }) => id === 'T9002')).toEqual({
    id: 'T9002',
    domain: 'Enterprise',
    name: 'Shake',
    tactics: [{ id: 'TA9001', name: 'Spilling' }],
    platforms: [],
    revoked: true,
    deprecated: false,
  })
  const lists = await guidance().nobody.call('GET', '/api/catalogue/reference-data.json', {})
  expect(lists.body).toMatchObject({ sources: [{ kind: 'attack' }, { kind: 'attack' }] })
})
