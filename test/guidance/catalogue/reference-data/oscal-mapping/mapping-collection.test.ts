// @module-tag database

import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ControlLinks } from '../../../../../src/guidance/catalogue/linked-data/countermeasures/control-links.ts'
import { readMappingCollection } from '../../../../../src/guidance/catalogue/reference-data/oscal-mapping/mapping-collection.ts'
import { requireSource } from '../../../../../src/guidance/catalogue/reference-data/reader.ts'
import { guidanceService } from '../../../../support/guidance.ts'
import { CCIS, cciList, storeCciList } from '../../../../support/reference-data.ts'
import { controlsOf } from '../../linked-data/sample.ts'

const guidance = guidanceService()

// The members and datatypes of NIST's metaschema for mapping collections, as far as we write them.
const uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const token = z.string().regex(/^[\p{L}_][\p{L}\p{N}.\-_]*$/u)
const line = z.string().regex(/^\S(.*\S)?$/)
const item = z.strictObject({ type: z.enum(['control', 'statement']), 'id-ref': line, remarks: line.optional() })
const resource = z.strictObject({ ns: z.url().optional(), type: token, href: z.url(), remarks: line })
const gap = z.strictObject({
  uuid,
  'unmapped-controls': z.array(z.strictObject({ 'with-ids': z.array(token).min(1) })).min(1),
})
const relationship = z.enum(['equivalent-to', 'equal-to', 'subset-of', 'superset-of', 'intersects-with'])
const collection = z.strictObject({
  'mapping-collection': z.strictObject({
    uuid,
    metadata: z.strictObject({
      title: line,
      'last-modified': z.iso.datetime({ offset: true }),
      version: line,
      'oscal-version': line,
    }),
    provenance: z.strictObject({
      method: z.enum(['human', 'automation', 'hybrid']),
      'matching-rationale': z.enum(['syntactic', 'semantic', 'functional']),
      status: z.enum(['complete', 'not-complete', 'draft', 'deprecated', 'superseded']),
      'mapping-description': z.string(),
    }),
    mappings: z
      .array(
        z.strictObject({
          uuid,
          'source-resource': resource,
          'target-resource': resource,
          maps: z
            .array(
              z.strictObject({
                uuid,
                relationship,
                sources: z.array(item).min(1),
                targets: z.array(item).min(1),
                props: z
                  .array(z.strictObject({ name: token, ns: z.url(), value: line }))
                  .min(1)
                  .optional(),
              }),
            )
            .min(1),
          remarks: line.optional(),
          'source-gap-summary': gap.optional(),
          'target-gap-summary': gap.optional(),
        }),
      )
      .min(1),
  }),
})

const database = () => guidance().service.guidance.database

beforeEach(async () => {
  await database().transact((writer) => writer.deleteFrom('reference_sources').execute())
})

async function read(links: ControlLinks | null) {
  const source = await requireSource(database().read, 'cci_list', undefined)
  return collection.parse(await readMappingCollection({ reader: database().read, links }, source))['mapping-collection']
}

function shown({ maps }: Awaited<ReturnType<typeof read>>['mappings'][number]): readonly string[] {
  return maps.map(
    ({ sources, relationship: relation, targets }) => `${sources[0]?.['id-ref']} ${relation} ${targets[0]?.['id-ref']}`,
  )
}

describe('The OSCAL mapping collection', () => {
  it('has each CCI under its controls, in each revision that NIST publishes in OSCAL', async () => {
    await storeCciList(database())
    const { mappings, metadata } = await read(null)
    expect(metadata).toMatchObject({ version: 'CCI list 2026-01-05', 'last-modified': '2026-01-05T00:00:00.000Z' })
    expect(mappings.map(shown)).toEqual([
      ['CCI-000015 subset-of ac-2.1', 'CCI-000017 subset-of ac-2.3'],
      ['CCI-000015 subset-of ac-2.1', 'CCI-000366 subset-of cm-6'],
    ])
    expect(mappings[0]?.maps[1]?.props).toEqual([expect.objectContaining({ name: 'place', value: 'AC-2 (3) (a)' })])
    expect(mappings.map((mapping) => mapping['source-gap-summary']?.['unmapped-controls'][0]?.['with-ids'])).toEqual([
      ['CCI-000366'],
      ['CCI-000017'],
    ])
  })

  it('has the relations of the ontology from controls and CCIs to techniques', async () => {
    await storeCciList(database(), cciList(CCIS, '2020-01-01'))
    const assertions = controlsOf().assertions
    const other = assertions.map((assertion) => ({ ...assertion, relation: 'urn:other:relation' }))
    const links = new ControlLinks(controlsOf({ assertions: [...assertions, ...other] }))
    const { mappings, metadata } = await read(links)
    expect(metadata['last-modified']).toBe('2026-01-02T00:00:00.000Z')
    const [controls, ccis] = mappings.slice(2)
    expect(controls && shown(controls)).toEqual(['ac-2.1 subset-of D3-AL'])
    expect(controls?.remarks).toMatch(/^Without 1 statement of/)
    expect(controls?.['target-gap-summary']?.['unmapped-controls'][0]?.['with-ids']).toEqual(['D3-FA', 'D3-LAM'])
    expect(ccis && shown(ccis)).toEqual([
      'CCI-000015 superset-of D3-AL',
      'CCI-000044 equivalent-to D3-AL',
      'CCI-000015 superset-of D3-LAM',
    ])
  })

  it('has each UUID once, and the same ones for the same pairs of a newer list', async () => {
    await storeCciList(database())
    const links = new ControlLinks(controlsOf())
    const uuids = async (): Promise<readonly string[]> =>
      (await read(links)).mappings.flatMap((mapping) => [mapping.uuid, ...mapping.maps.map((map) => map.uuid)])
    const before = await uuids()
    expect(new Set(before).size).toBe(before.length)
    await storeCciList(database(), cciList(CCIS, '2026-02-01'))
    expect(await uuids()).toEqual(before)
  })

  it('is refused without a CCI list, and where the list refers to neither revision', async () => {
    const path = '/api/catalogue/oscal/mapping-collection.json'
    expect((await guidance().nobody.call('GET', path)).body).toMatchObject({ code: 'reference_data_absent' })
    await storeCciList(database(), cciList([{ id: 'CCI-000366', places: { 3: 'CM-6 b' } }]))
    expect((await guidance().nobody.call('GET', path)).body).toMatchObject({ status: 404, code: 'not_found' })
    expect((await guidance().nobody.call('GET', `${path}?version=1999`)).status).toBe(404)
  })

  it('is answered to everybody', async () => {
    await storeCciList(database())
    const { status, body } = await guidance().nobody.call('GET', '/api/catalogue/oscal/mapping-collection.json')
    expect([status, collection.parse(body)['mapping-collection'].mappings.length]).toEqual([200, 2])
  })
})
