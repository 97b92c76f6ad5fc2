// @module-tag database

import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cweCatalog, cweView, storeCwe } from '../../../../support/cwe.ts'
import { guidanceService } from '../../../../support/guidance.ts'
import { matching } from '../../../../support/matchers.ts'
import { storeReference } from '../../../../support/reference-data.ts'

const guidance = guidanceService()
const database = () => guidance().service.guidance.database

function ask(path: string) {
  return guidance().nobody.call('GET', `/api/catalogue/cwe/${path}.json`)
}

const list = z.object({
  source: z.looseObject({ version: z.string() }),
  entries: z.array(z.looseObject({ id: z.string() })),
})

beforeEach(() => database().transact((writer) => writer.deleteFrom('reference_sources').execute()))

describe('CWE', () => {
  it.each(['all', 'CWE-79'])('returns a 404 at %s that names the command if it is not loaded', async (path) => {
    expect(await ask(path)).toMatchObject({
      status: 404,
      body: { code: 'reference_data_absent', detail: matching(/CWE.*npm run import -- cwec/) },
    })
  })

  it('is held in several versions, of which the newest by its day answers', async () => {
    await storeCwe(database(), cweCatalog())
    await storeCwe(database(), cweCatalog({ version: '4.9', date: '2022-10-13' }))
    await storeReference(database(), 'cwe_csv', cweView('904'))
    const { source, entries } = list.parse((await ask('all')).body)
    expect([source.version, entries.map(({ id }) => id)]).toEqual([
      '4.17',
      ['CWE-901', 'CWE-902', 'CWE-903', 'CWE-910', 'CWE-920'],
    ])
    expect((await ask('CWE-901')).body).toMatchObject({ source: { version: '4.17' }, name: 'Tea Without Water' })
    expect((await guidance().nobody.call('GET', '/api/catalogue/cwe/all.json?version=4.9')).body).toMatchObject({
      source: { version: '4.9' },
    })
  })

  it.each(['CWE-904', 'cwe-0904', '904'])('finds %s in the version that has it', async (id) => {
    await storeCwe(database())
    await storeReference(database(), 'cwe_csv', cweView('904'))
    expect((await ask(id)).body).toMatchObject({ id: 'CWE-904', source: { version: 'view cwe_csv' } })
  })

  it('leads from a deprecated entry to its successors, and refuses unknown ones', async () => {
    await storeCwe(database())
    expect((await ask('CWE-903')).body).toMatchObject({ deprecated: true, successors: [{ id: 'CWE-901' }, {}] })
    for (const id of ['CWE-999', 'tea']) expect((await ask(id)).body).toMatchObject({ code: 'not_found' })
  })
})
