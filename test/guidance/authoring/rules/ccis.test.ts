// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { cciList, storeCciList } from '../../../support/reference-data.ts'

const guidance = guidanceService()

const LIST = [
  { id: 'CCI-000015', definition: 'The organization employs automated mechanisms to manage accounts.' },
  { id: 'CCI-000366', definition: 'The organization implements the security configuration settings.' },
  { id: 'CCI-000044', definition: 'The system limits failed logons; accounts are locked.', places: { 5: 'AC-7 a' } },
  { id: 'CCI-000017', status: 'deprecated', definition: 'The system disables inactive accounts.' },
  { id: 'CCI-000018', status: 'withdrawn', definition: 'The system audits accounts.' },
]

const found = z.object({ total: z.int(), ccis: z.array(z.looseObject({ id: z.string(), deprecated: z.boolean() })) })

const readiness = z.object({
  ready: z.boolean(),
  items: z.array(
    z.object({
      code: z.string(),
      blocks: z.boolean(),
      rule: z.object({ id: z.int() }).nullable(),
      fields: z.array(z.string()),
    }),
  ),
})

describe('The CCIs of rules', () => {
  const client = signedIn(guidance, 'Ann')
  let made: MadeComponent

  const withCcis = async (...idents: readonly (string | null)[]) => {
    for (const [index, ident] of idents.entries())
      await client.call('PUT', `/rules/${made.rules[index]}`, { body: { rule: { ident } } })
  }
  const ccisOf = async (index: number) => (await client.call('GET', `/rules/${made.rules[index]}/ccis`)).body
  const cciItems = async () => {
    const { body } = await client.call('GET', `/api/components/${made.id}/readiness.json`)
    return readiness.parse(body).items.filter(({ code }) => code.startsWith('cci_'))
  }
  const search = (q: string) => client.call('GET', `/api/catalogue/ccis/search.json?q=${encodeURIComponent(q)}`)
  const idsFor = async (q: string) => found.parse((await search(q)).body).ccis.map(({ id }) => id)

  beforeAll(async () => {
    const projectId = await guidance().project(client)
    const rule = (number: number, cci: readonly string[]) =>
      ({ id: `SV-${number}r1_rule`, version: `SRG-TEA-00000${number}`, cci }) as const
    made = await makeComponent(guidance(), client, {
      projectId,
      rules: [rule(1, ['CCI-000366', 'CCI-000015']), rule(2, ['CCI-000366']), rule(3, ['CCI-000366', 'CCI-000017'])],
    })
  })

  it('are compared with the requirement alone while no list is loaded', async () => {
    await withCcis('CCI-000366', 'CCI-999999', null)
    expect(await ccisOf(0)).toEqual({ source: null, ccis: [], unknown: [], deprecated: [], lost: ['CCI-000015'] })
    expect((await cciItems()).map(({ code, rule, fields }) => [code, rule?.id, fields])).toEqual([
      ['cci_lost', made.rules[0], ['CCI-000015']],
      ['cci_lost', made.rules[1], ['CCI-000366']],
      ['cci_lost', made.rules[2], ['CCI-000017', 'CCI-000366']],
    ])
    expect(await search('accounts')).toMatchObject({ status: 404, body: { code: 'reference_data_absent' } })
  })

  describe('with a list', () => {
    beforeAll(async () => {
      await storeCciList(guidance().service.guidance.database, cciList(LIST))
    })

    it('have their definitions and controls, and those of the requirement too', async () => {
      await withCcis('CCI-000044, CCI-000366')
      expect(await ccisOf(0)).toMatchObject({
        source: { version: '2026-01-05' },
        ccis: [
          { id: 'CCI-000015', definition: LIST[0]?.definition, deprecated: false },
          { id: 'CCI-000044', controls: [{ revision: 5, control: 'AC-7', index: 'AC-7 a' }] },
          { id: 'CCI-000366' },
        ],
        unknown: [],
        deprecated: [],
        lost: ['CCI-000015'],
      })
    })

    it('are named in the readiness where the list lacks them or has deprecated or withdrawn them', async () => {
      await withCcis(
        'CCI-000015, CCI-000366',
        'CCI-000017, CCI-000018, CCI-000366, CCI-999999, CCE-1234',
        'cci-366, CCI-12345678',
      )
      const items = await cciItems()
      expect(items.map(({ code, rule, fields }) => [code, rule?.id, fields])).toEqual([
        ['cci_unknown', made.rules[1], ['CCI-999999']],
        ['cci_deprecated', made.rules[1], ['CCI-000017', 'CCI-000018']],
        ['cci_unknown', made.rules[2], ['CCI-12345678']],
      ])
      expect(items.some(({ blocks }) => blocks)).toBe(false)
    })

    it('are found by all words of their definitions, deprecated ones last', async () => {
      expect(await idsFor('accounts')).toEqual(['CCI-000015', 'CCI-000044', 'CCI-000017', 'CCI-000018'])
      expect(await idsFor('LOCKED accounts')).toEqual(['CCI-000044'])
      expect(await idsFor('ac-7')).toEqual(['CCI-000044'])
      expect(await idsFor('spout')).toEqual([])
    })

    it('are found by their ids in any form', async () => {
      for (const name of ['CCI-000366', 'cci-366', '366', 'CCI-366 '])
        expect(await idsFor(name)).toEqual(['CCI-000366'])
      expect((await idsFor('CCI-00001')).toSorted()).toEqual(['CCI-000015', 'CCI-000017', 'CCI-000018'])
    })

    it('are the same to all pages: a CCI that was withdrawn counts as deprecated', async () => {
      const { body } = await client.call('GET', '/api/catalogue/ccis/CCI-000018.json')
      expect(body).toMatchObject({ deprecated: true })
      const answer = await client.call('GET', '/api/catalogue/ccis/all.json')
      expect(
        found
          .partial()
          .parse(answer.body)
          .ccis?.flatMap(({ id, deprecated }) => (deprecated ? [id] : [])),
      ).toEqual(['CCI-000017', 'CCI-000018'])
    })

    it('are searched in a newer list as soon as it is loaded', async () => {
      const newer = [...LIST, { id: 'CCI-005555', definition: 'The spout is clean.' }]
      await storeCciList(guidance().service.guidance.database, cciList(newer, '2026-02-05'))
      expect(await idsFor('spout')).toEqual(['CCI-005555'])
    })
  })
})
