// @module-tag database

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readCciList } from '../../../../../src/guidance/catalogue/reference-data/ccis/cci-list.ts'
import { emptyCatalogue, inventory, send, sendGood } from '../../../../support/catalogue.ts'
import { alter } from '../../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../../support/guidance.ts'
import { matching } from '../../../../support/matchers.ts'
import { CCIS, cciList, oscalCatalog } from '../../../../support/reference-data.ts'
import { xccdfDocument } from '../../../../support/xccdf-document.ts'
import { zipOf } from '../../../../support/zip.ts'

const guidance = guidanceService()
const PATH = '/api/reference-data'
const admin = signedIn(guidance, 'Root', { admin: true })

beforeEach(async () => {
  await emptyCatalogue(guidance())
  await alter(guidance(), (writer) => writer.deleteFrom('reference_sources').execute())
})

const listed = z.object({ sources: z.array(z.looseObject({ kind: z.string(), version: z.string() })) })

async function sources() {
  return listed.parse((await admin.call('GET', '/api/catalogue/reference-data.json')).body).sources
}

function refuses(file: string | Uint8Array, fileName = 'list.xml') {
  return send(admin, file, { path: PATH, fileName })
}

describe('Uploaded reference data', () => {
  it.each([PATH, '/stigs', '/srgs'] as const)(
    'at %s is recognised, and stored under the name of the file',
    async (path) => {
      const { reference_data, imported, toast, done, total } = await sendGood(admin, cciList(), {
        path,
        fileName: 'C:\\lists\\U_CCI_List.xml',
      })
      expect([reference_data, imported, toast, done, total]).toEqual([
        [
          {
            kind: 'cci_list',
            name: 'CCI list 2026-01-05',
            version: '2026-01-05',
            digest: matching(/^[0-9a-f]{64}$/),
            item_count: 3,
            outcome: 'imported',
          },
        ],
        [],
        { title: 'CCI list 2026-01-05 imported.', message: 'CCI list 2026-01-05 has 3 items.', variant: 'success' },
        1,
        1,
      ])
      expect(await sources()).toMatchObject([{ kind: 'cci_list', file_name: 'U_CCI_List.xml', item_count: 3 }])
      expect((await admin.call('GET', '/api/catalogue/controls/AC-2(1).json')).body).toMatchObject({
        ccis: [{ id: 'CCI-000015' }],
      })
    },
  )

  it('may be compressed, and is recognised as already imported', async () => {
    await sendGood(admin, gzipSync(oscalCatalog()), { path: PATH, fileName: 'catalog.json.gz' })
    const zip = await zipOf({ 'a/catalog.json': oscalCatalog() })
    const { reference_data, toast } = await sendGood(admin, zip, { path: PATH, fileName: 'catalog.zip' })
    expect([reference_data, toast]).toMatchObject([[{ outcome: 'already_imported' }], { title: 'Already imported.' }])
    expect(await sources()).toMatchObject([{ kind: 'sp800_53', file_name: 'catalog.json' }])
  })

  it('is refused with the place, and leaves nothing behind', async () => {
    const depth = 10_000
    const controls = `${'{"id":"ac-1","title":"t","controls":['.repeat(depth)}${']}'.repeat(depth)}`
    const recursive = `{"catalog": {"metadata": {"title": "t", "version": "1"}, "controls": [${controls}]}}`
    const zip = await zipOf({ 'U_CCI_List.xml': cciList() })
    const broken = Buffer.from(zip)
    broken.fill(0, 200, 220)
    const before = await inventory(guidance())
    const answers = [
      await refuses(cciList([...CCIS, { id: 'CCI-000366' }])),
      await refuses(cciList().replace('</cci_items>', '')),
      await refuses(cciList().replace('?>', '?><!DOCTYPE cci_list [<!ENTITY a "aa">]>')),
      await refuses(gzipSync(cciList()).subarray(0, 200), 'list.xml.gz'),
      await refuses(broken, 'list.zip'),
      await refuses(recursive, 'catalog.json'),
      await refuses('{"type": "bundle", "id": "bundle--1", "objects": [{"type": 1}]}', 'bundle.json'),
      await refuses(xccdfDocument()),
      await refuses('text', 'note.txt'),
    ]
    expect(answers.map(({ status, body }) => [status, body])).toMatchObject([
      [422, { code: 'duplicate_item_id', detail: 'The CCI "CCI-000366" is in the list twice (line 9).' }],
      [422, { code: 'xml_not_well_formed', detail: matching(/line \d+/) }],
      [422, { code: 'dtd_not_allowed' }],
      [422, { code: 'source_damaged', detail: matching(/list\.xml\.gz is damaged/) }],
      [422, { code: 'bad_zip', detail: matching(/U_CCI_List\.xml/) }],
      [413, { code: 'too_large', detail: matching(/nested deeper/) }],
      [422, { code: 'not_reference_data', detail: matching(/objects\/0/) }],
      [422, { code: 'not_reference_data', detail: matching(/not a CCI list/) }],
      [422, { code: 'not_reference_data' }],
    ])
    expect(await inventory(guidance())).toEqual(before)
    expect(await sources()).toEqual([])
  })

  it('does not hold up others', async () => {
    const items = Array.from({ length: 15_000 }, (_, index) => ({
      id: `CCI-${String(index).padStart(6, '0')}`,
      definition: 'Warm the pot. '.repeat(40),
      places: { 4: 'AC-2 (1)', 5: 'AC-2 (1)' },
    }))
    const list = cciList(items)
    const delay = monitorEventLoopDelay({ resolution: 1 })
    await sendGood(admin, cciList(), { path: PATH })
    delay.enable()
    await sendGood(admin, list, { path: PATH, headers: { Prefer: 'wait=60' } })
    delay.disable()
    const before = performance.now()
    readCciList(Buffer.from(list))
    const onThisThread = performance.now() - before
    expect(delay.max / 1e6).toBeLessThan(onThisThread)
    expect((await sources())[0]).toMatchObject({ item_count: 15_000 })
  })
})
