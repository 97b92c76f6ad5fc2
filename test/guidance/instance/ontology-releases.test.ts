import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guidanceService } from '../../support/guidance.ts'
import { ingestInto } from '../../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'
const under = guidanceService({}, undefined, [])
const trail = z.object({
  rows: z.array(
    z.object({
      action: z.string(),
      auditable_type: z.string(),
      audited_name: z.string(),
      comment: z.string().nullable(),
    }),
  ),
})

describe('Site administrators', () => {
  it('activate, roll back and remove releases, and each of it is in the audit trail', async () => {
    const guidance = under()
    const { service } = guidance
    const dataDir = join(service.folder.root, '..')
    for (const version of ['1.0.0', '2.0.0']) await ingestInto(dataDir, [TEN], { version, date: '2026-01-01' })
    const client = await guidance.signUp('Ada', { admin: true })
    const activated = await client.call('POST', '/api/releases/1.0.0/activate')
    expect(activated.body).toEqual({ active: '1.0.0', previous: '2.0.0', served: true })
    const back = await client.call('POST', '/api/releases/rollback')
    expect(back.body).toEqual({ active: '2.0.0', previous: '1.0.0', served: true })
    expect((await client.call('DELETE', '/api/releases/2.0.0')).status).toBe(409)
    expect((await client.call('DELETE', '/api/releases/1.0.0')).body).toEqual({ removed: '1.0.0' })
    const missing = await client.call('POST', '/api/releases/1.0.0/activate')
    expect(missing.body).toMatchObject({ status: 404, code: 'release_not_found' })
    const { body } = await client.call('GET', '/api/audits?auditable_type=OntologyRelease')
    expect(trail.parse(body).rows.map((row) => [row.action, row.audited_name, row.comment])).toEqual([
      ['destroy', '1.0.0', null],
      ['update', '2.0.0', 'Rolled back'],
      ['update', '1.0.0', null],
    ])
  })
})
