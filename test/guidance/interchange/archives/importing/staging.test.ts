// @module-tag database

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../../../src/guidance/database/database.ts'
import { readArchive } from '../../../../../src/guidance/interchange/archives/format/read-in-thread.ts'
import { importArchive, prepareImport } from '../../../../../src/guidance/interchange/archives/importing/import.ts'
import {
  openStaging,
  removeAbandonedImports,
  removeStaging,
} from '../../../../../src/guidance/interchange/archives/importing/staging.ts'
import { startHousekeeping } from '../../../../../src/guidance/service/housekeeping.ts'
import { ALONE } from '../../../../../src/platform/processes/process-position.ts'
import { archiveOf, SAMPLE_RULE } from '../../../../support/archive.ts'
import { storeSrg } from '../../../../support/authoring.ts'
import { temporaryFolder } from '../../../../support/folder.ts'
import { countRows, rowsOf } from '../../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../../support/guidance.ts'
import { refusalOf } from '../../../../support/refusal.ts'

const service = guidanceService()

/** More than are inserted at once. */
const RULES = 90
const REVIEWS = [1, 2, 3].map((external_id) => ({
  external_id,
  rule_id: '000001',
  action: 'comment',
  comment: 'Why?',
  user_name: 'Zoe',
  created_at: '2025-01-02T03:04:05.123Z',
}))
const ann = signedIn(service, 'Ann', { admin: true })
let based_on: { readonly srg_id: string; readonly title: string; readonly version: string }

beforeAll(async () => {
  based_on = await database()
    .read.selectFrom('benchmarks')
    .select(['benchmark_id as srg_id', 'title', 'version'])
    .where('id', '=', await storeSrg(service()))
    .executeTakeFirstOrThrow()
})

function database(): Database {
  return service().service.guidance.database
}

/** Imports an archive of one component into a project. */
async function importInto(projectId: number, { using = database(), preparedFor = projectId } = {}): Promise<void> {
  const rules = Array.from({ length: RULES }, (_one, index) => ({
    ...SAMPLE_RULE,
    rule_id: String(index + 1).padStart(6, '0'),
  }))
  const path = join(await temporaryFolder(), 'archive.zip')
  const file = await archiveOf({ based_on, name: 'Kettles' }, { rules, reviews: REVIEWS })
  await writeFile(path, file)
  const upload = { path, bytes: file.length, fileName: 'a.zip', fields: {}, discard: none }
  const archive = await readArchive(upload, ann)
  const via = { kind: 'session', id: 1 } as const
  const caller = { ...ann, admin: true, provider: null, via }
  const choice = { filter: null, includeReviews: true, includeMemberships: false }
  const wanted = { ...choice, caller, bounded: false, scanner: null }
  const source = await prepareImport(using.read, { archive, path }, { ...wanted, projectId: preparedFor })
  await importArchive(using, { ...wanted, source }, () => Promise.resolve(projectId))
}

const none = (): Promise<void> => Promise.resolve()

/** All that a site administrator sees of projects, components and rules, and of their histories. */
async function visible(): Promise<string> {
  const paths = [
    '/projects',
    '/api/projects',
    '/components?readable=true',
    '/audits',
    '/search/rules?q=SRG-TEA-000001',
    `/search/components?q=${based_on.srg_id}`,
    '/api/search/global?q=Kettles',
    '/api/search?q=Kettles',
  ]
  const { id = 0 } = (await rowsOf(service(), 'components')).at(-1) ?? {}
  const rule = (await rowsOf(service(), 'rules')).at(-1)
  paths.push(`/components/${id}`, `/rules/${rule?.id ?? 0}`, `/components/${id}/export/json_archive`)
  const answers = await Promise.all(paths.map((path) => ann.call('GET', path)))
  return answers
    .map(({ status, body }) => (status === 404 ? '' : JSON.stringify(body)))
    .filter((text) => text.includes('Kettles') || text.includes('Import'))
    .join('\n')
}

const TABLES = ['projects', 'components', 'rules', 'reviews', 'audits', 'events'] as const

/** A database whose transactions fail from one on, as when the process has been killed. */
function failingAfter(count: number): Database {
  let left = count
  return {
    ...database(),
    transact: (work) => {
      left -= 1
      return left < 0 ? Promise.reject(new Error('Killed')) : database().transact(work)
    },
  }
}

describe('An import', () => {
  it('is invisible to a site administrator until it is complete', async () => {
    const projectId = await service().project(ann)
    const seen: string[] = []
    const watched: Database = {
      ...database(),
      transact: async (work) => {
        const result = await database().transact(work)
        seen.push(await visible())
        return result
      },
    }
    await importInto(projectId, { using: watched })
    // The last two transactions publish it, and remove the staging project.
    expect(seen.length).toBeGreaterThan(3)
    expect(seen.slice(0, -2).join('')).toBe('')
    expect(seen.at(-1)).toContain('Kettles')
    expect((await rowsOf(service(), 'projects')).filter(({ id }) => id < 0)).toEqual([])
  })

  it('that was killed is never visible and is removed', async () => {
    const projectId = await service().project(ann)
    const before = await countRows(service(), TABLES)
    for (const count of [2, 3, 4]) {
      await expect(importInto(projectId, { using: failingAfter(count) })).rejects.toThrow('Killed')
      expect(await countRows(service(), TABLES)).not.toEqual(before)
      await removeAbandonedImports(database(), new Date(Date.now() - 60_000))
      expect(await countRows(service(), TABLES)).not.toEqual(before)
      await removeAbandonedImports(database(), new Date(Date.now() + 1))
      expect(await countRows(service(), TABLES)).toEqual(before)
    }
  })

  it('that was killed is removed at the next start of the service', async () => {
    const projectId = await service().project(ann)
    const before = await countRows(service(), TABLES)
    await expect(importInto(projectId, { using: failingAfter(3) })).rejects.toThrow('Killed')
    await sleep(2)
    await startHousekeeping(service().service.guidance, { ...ALONE, isFirst: false }).stop()
    expect(await countRows(service(), TABLES)).not.toEqual(before)
    if (database().dialect !== 'sqlite') return
    await startHousekeeping(service().service.guidance, ALONE).stop()
    expect(await countRows(service(), TABLES)).toEqual(before)
  })

  it('that is refused at the end stores nothing', async () => {
    const projectId = await service().project(ann)
    await importInto(projectId)
    const preparedFor = await service().project(ann)
    const before = await countRows(service(), TABLES)
    const refused = await refusalOf(() => importInto(projectId, { preparedFor }))
    expect(refused.message).toContain('components of these names already: Kettles')
    expect(await countRows(service(), TABLES)).toEqual(before)
  })
})

describe('The staging of an import', () => {
  it('permits other writes between its portions', async () => {
    const staging = await openStaging(database())
    const order: string[] = []
    const saved = sleep(20).then(() =>
      database().transact(() => {
        order.push('save of somebody else')
        return Promise.resolve()
      }),
    )
    const items = Array.from({ length: RULES }, (_one, index) => index)
    await staging.each(items, async (_writer, some) => {
      await sleep(60)
      order.push(`${some.length} items`)
    })
    await saved
    await removeStaging(database(), staging.projectId)
    expect(order.filter((entry) => entry.endsWith('items'))).toEqual(['40 items', '40 items', '10 items'])
    expect(order.indexOf('save of somebody else')).toBeLessThan(2)
  })

  it('rejects further writes after its removal', async () => {
    const staging = await openStaging(database())
    await removeStaging(database(), staging.projectId)
    const refused = await refusalOf(() => staging.portion(none))
    expect(refused.code).toBe('overloaded')
  })
})
