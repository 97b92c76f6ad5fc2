import { describe, expect, it } from 'vitest'
import { readAttack } from '../../../../../src/guidance/catalogue/reference-data/attack/read-attack.ts'
import { ATTACK, attackBundle, collection, relation, stixObject, technique } from '../../../../support/attack-bundle.ts'
import { refusalOf } from '../../../../support/refusal.ts'

function read(objects?: readonly unknown[]) {
  return readAttack(Buffer.from(attackBundle(objects)))
}

const OF_TEA = { name: 'Tea Review', description: 'A review.', url: 'https://tea.example' }
const CITED = [{ name: 'Pot Post', description: null, url: 'https://pot.example' }]

describe('The reader of ATT&CK', () => {
  it('has the domain and the version of the collection', () => {
    const { items, ...head } = read()
    expect(head).toEqual({ kind: 'attack', title: 'ATT&CK Enterprise', version: '18.1', published: '2026-01-03' })
    expect(items.map(({ id }) => id)).toEqual([
      'T9001',
      'T9001.001',
      'T9002',
      'T9003',
      'TA9001',
      'M9001',
      'course-of-action--t9001',
    ])
  })

  it('takes the day of the latest change as the version where there is no collection', () => {
    expect(read(ATTACK)).toMatchObject({ version: '2026-01-02', published: '2026-01-02' })
  })

  it.each([
    ['mitre-mobile-attack', 'Mobile'],
    ['mitre-ics-attack', 'ICS'],
  ])('knows the domain of %s', (chain, domain) => {
    const bundle = attackBundle().replaceAll('"mitre-attack"', `"${chain}"`)
    const { title, items } = readAttack(Buffer.from(bundle))
    expect([title, items[0]]).toMatchObject([`ATT&CK ${domain}`, { id: 'T9001', domain }])
  })

  it('reads a technique with all that relates to it', () => {
    expect(read().items[0]).toEqual({
      type: 'technique',
      id: 'T9001',
      attack_id: 'T9001',
      stix_id: 'attack-pattern--t9001',
      domain: 'Enterprise',
      name: 'Pour Over',
      description: 'About Pour Over.',
      url: 'https://attack.example/techniques/T9001',
      references: [OF_TEA],
      object_version: '1.2',
      created: '2025-01-01T00:00:00.000Z',
      modified: '2026-01-02T00:00:00.000Z',
      revoked: false,
      deprecated: false,
      successor: null,
      tactics: [{ id: 'TA9001', name: 'Spilling' }],
      platforms: ['Pot', 'Cup'],
      parent: null,
      subtechniques: [{ id: 'T9001.001', name: 'Slowly' }],
      mitigations: [{ id: 'M9001', name: 'Use a Tray', text: 'A tray catches it.', references: CITED }],
      detection: {
        text: 'Look at the cloth.',
        strategies: [
          {
            id: 'DET9001',
            name: 'Watch the Cloth',
            url: 'https://attack.example/others/DET9001',
            text: '',
            references: [],
            analytics: [{ id: 'AN9001', name: 'Wet Cloth', description: 'About Wet Cloth.', platforms: ['Pot'] }],
          },
        ],
      },
      procedure_examples: [
        {
          id: 'G9001',
          name: 'The Guests',
          kind: 'group',
          url: 'https://attack.example/others/G9001',
          text: 'They pour at night.',
          references: CITED,
        },
        {
          id: 'S9001',
          name: 'Kettle',
          kind: 'tool',
          url: 'https://attack.example/others/S9001',
          text: 'The Kettle pours by itself.',
          references: [],
        },
      ],
    })
  })

  it('keeps sub-techniques, and techniques that were revoked or deprecated', () => {
    const [, slowly, shake, boil] = read().items
    expect(slowly).toMatchObject({ parent: { id: 'T9001', name: 'Pour Over' }, procedure_examples: [] })
    expect(shake).toMatchObject({ revoked: true, successor: { id: 'T9001', name: 'Pour Over' } })
    expect(boil).toMatchObject({ deprecated: true, successor: null, tactics: [{ id: null, name: 'heating' }] })
  })

  it('reads tactics and mitigations with their techniques', () => {
    const [, , , , tactic, tray, old] = read().items
    expect(tactic).toMatchObject({
      type: 'tactic',
      short_name: 'spilling',
      techniques: [{ id: 'T9001', name: 'Pour Over' }],
    })
    expect(tray).toMatchObject({
      type: 'mitigation',
      techniques: [{ id: 'T9001', text: 'A tray catches it.', references: CITED }],
    })
    expect(old).toMatchObject({ attack_id: 'T9001', deprecated: true, techniques: [] })
  })
})

const [FIRST = technique('T9009', 'None')] = ATTACK

describe('The reader of ATT&CK refuses', () => {
  it.each([
    ['what is no JSON', '{"type":"bundle","id":', 'not_reference_data', /^The file is not JSON: /],
    ['a bundle without objects', '{"type":"bundle"}', 'not_reference_data', /used at the bundle\/objects: /],
    ['odd bytes', Buffer.from([0x7b, 0xff]), 'bad_encoding', /UTF-8/],
    ['a bundle of others', attackBundle([]), 'not_reference_data', /not ATT&CK: it has no attack-pattern/],
    [
      'techniques of other kill chains',
      attackBundle([technique('T1', 'A', { kill_chain_phases: [] })]),
      'not_reference_data',
      /no technique names a tactic/,
    ],
    [
      'a wrong shape, with its path and id',
      attackBundle([...ATTACK, technique('T9008', 'Stir', { x_mitre_platforms: 'Pot' })]),
      'not_reference_data',
      /used at objects\/20\/x_mitre_platforms \(attack-pattern--t9008\): .*array/,
    ],
    ['an object without id', attackBundle([{ type: 'tool' }]), 'not_reference_data', /used at objects\/0\/id: /],
    [
      'a character that cannot be stored',
      attackBundle([technique('T9008', 'Stir\u0000')]),
      'not_reference_data',
      /objects\/0\/description .*cannot be stored/,
    ],
    [
      'an object twice',
      attackBundle([...ATTACK, FIRST]),
      'duplicate_item_id',
      /^The object attack-pattern--t9001\.001 is in the bundle twice \(objects\/20\)\.$/,
    ],
    [
      'two techniques of one id',
      attackBundle([...ATTACK, { ...FIRST, id: 'attack-pattern--2' }]),
      'duplicate_item_id',
      /has T9001\.001 twice \(attack-pattern--2\)/,
    ],
    [
      'a relation of what is not there',
      attackBundle([...ATTACK, relation('uses', technique('T9008', 'Stir'), FIRST)]),
      'not_reference_data',
      /^The relation relationship--uses-\S+ \(uses\) refers to attack-pattern--t9008, which is not there\.$/,
    ],
    [
      'a technique without an id of ATT&CK',
      attackBundle([technique('T9008', 'Stir', { external_references: [] })]),
      'invalid_id',
      /attack-pattern--t9008 has no id of ATT&CK/,
    ],
    [
      'a tactic without a short name',
      attackBundle([FIRST, stixObject({ type: 'x-mitre-tactic', attackId: 'TA1', name: 'A' })]),
      'missing_field',
      /x_mitre_shortname is missing: x-mitre-tactic--ta1/,
    ],
    ['no version', attackBundle([{ ...FIRST, modified: undefined }]), 'missing_field', /has no version/],
  ])('%s', async (_what, document, code, message) => {
    const refusal = await refusalOf(() => readAttack(Buffer.from(document)))
    expect(refusal.code).toBe(code)
    expect(refusal.message).toMatch(message)
  })

  it('nothing that it does not read', () => {
    const others = [collection('1'), FIRST, { type: 'x-mitre-matrix', id: 'x-mitre-matrix--1' }]
    const foreign = relation('targets', FIRST, technique('T9008', 'Stir'))
    expect(read([...others, foreign]).items).toHaveLength(1)
  })
})
