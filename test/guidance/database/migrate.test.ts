// @module-tag database
// @module-tag node

import { join } from 'node:path'
import { Kysely } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/guidance/database/database.ts'
import { migratorOf } from '../../../src/guidance/database/migrate.ts'
import type { Schema } from '../../../src/guidance/database/schema/schema.ts'
import { sqliteDialect } from '../../../src/guidance/database/sqlite.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { environmentOf, freshDatabase, type FreshDatabase } from '../../support/fresh-database.ts'
import { refusalOf } from '../../support/refusal.ts'
import { prepareService } from '../../support/service-process.ts'

const TABLES = [
  'additional_answers',
  'additional_questions',
  'attachment_parts',
  'attachments',
  'audits',
  'benchmark_aliases',
  'benchmark_checks',
  'benchmark_files',
  'benchmark_fixes',
  'benchmark_idents',
  'benchmark_references',
  'benchmark_rules',
  'benchmarks',
  'component_memberships',
  'component_srgs',
  'components',
  'consents',
  'events',
  'found_users',
  'identities',
  'imports',
  'memberships',
  'merge_fields',
  'merges',
  'milestone_parts',
  'milestones',
  'one_time_links',
  'personal_access_tokens',
  'presences',
  'project_access_requests',
  'projects',
  'reactions',
  'recovery_codes',
  'reference_controls',
  'reference_items',
  'reference_sources',
  'relocation_destinations',
  'requirement_relocations',
  'reviews',
  'rule_checks',
  'rule_descriptions',
  'rule_satisfactions',
  'rules',
  'schema_migrations',
  'schema_migrations_lock',
  'search_changes',
  'second_factors',
  'sessions',
  'triage_response_templates',
  'users',
  'webhook_deliveries',
  'webhooks',
]

const MIGRATIONS = [
  '001-accounts',
  '002-projects',
  '003-audits',
  '004-benchmarks',
  '005-full-text',
  '006-components',
  '007-rules',
  '008-reviews',
  '009-events',
  '010-authoring-indexes',
  '011-relocations',
  '012-review-search',
  '013-words',
  '014-word-functions',
  '015-phrase-functions',
  '017-consents',
  '018-being-found',
  '021-short-ids',
  '022-search-changes',
  '023-second-factors',
  '024-advice-off',
  '025-presences',
  '026-presence-sessions',
  '027-last-changes',
  '028-rationale',
  '029-reference-data',
  '030-attack',
  '031-cwe',
  '032-published-sources',
  '033-merges',
  '034-suggestions',
  '037-attachments',
  '039-milestones',
]

async function tablesOf({ url, run }: FreshDatabase): Promise<readonly unknown[]> {
  const found =
    url === null
      ? await run("select name from sqlite_master where type = 'table' and name not like 'sqlite%'")
      : await run("select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'search_notes'")
  return found.map(({ name }) => name).sort()
}

function migrationsOf({ run }: FreshDatabase): Promise<readonly Record<string, unknown>[]> {
  return run('select name, timestamp from schema_migrations order by name')
}

describe('The migrations', () => {
  it('create the schema once', async () => {
    const fresh = await freshDatabase('empty')
    await (await fresh.open()).close()
    expect(await tablesOf(fresh)).toEqual(TABLES)
    const first = await migrationsOf(fresh)
    expect(first.map(({ name }) => name)).toEqual(MIGRATIONS)
    await fresh.open()
    expect(await migrationsOf(fresh)).toEqual(first)
    expect(await tablesOf(fresh)).toEqual(TABLES)
  })

  it('are logged before they change a database with data', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'parapet.db')
    const db = new Kysely<Schema>({ dialect: sqliteDialect(file, 'writer') })
    await migratorOf(db, 'sqlite').migrateTo('018-being-found')
    await db.destroy()
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const address = { url: `file:${file}`, dataDir: folder, log }
    await (await openDatabase(address)).close()
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(
      '"migrations":["021-short-ids","022-search-changes","023-second-factors","024-advice-off","025-presences","026-presence-sessions","027-last-changes","028-rationale","029-reference-data","030-attack","031-cwe","032-published-sources","033-merges","034-suggestions","037-attachments","039-milestones"]',
    )
    await (await openDatabase(address)).close()
    await (await openDatabase({ ...address, url: `file:${file}.new` })).close()
    expect(lines).toHaveLength(1)
  })

  it('run once when several processes start at the same moment', async () => {
    const fresh = await freshDatabase('empty')
    const env = environmentOf(fresh)
    const services = Array.from({ length: 4 }, () => prepareService(env))
    await Promise.all(services.map((service) => service.loaded()))
    await Promise.all(services.map((service) => service.open()))
    await Promise.all(services.map((service) => service.listening()))
    expect(await tablesOf(fresh)).toEqual(TABLES)
    expect(await migrationsOf(fresh)).toHaveLength(MIGRATIONS.length)
  })

  it('run once over several connections of one process', async () => {
    for (let round = 0; round < 5; round += 1) {
      const fresh = await freshDatabase('empty')
      await Promise.all([fresh.open(), fresh.open(), fresh.open()])
      expect(await migrationsOf(fresh)).toHaveLength(MIGRATIONS.length)
    }
  })

  it('refuse a database that a newer program has changed, and leave it alone', async () => {
    const fresh = await freshDatabase('empty')
    await (await fresh.open()).close()
    await fresh.run("insert into schema_migrations values ('999-later', '2100-01-01')")
    const before = await migrationsOf(fresh)
    const refusal = await refusalOf(() => fresh.open())
    expect(refusal.code).toBe('database_unusable')
    expect(refusal.message).toContain('another version of this program')
    expect(refusal.message).toMatch(/newer one: it has 999-later, and .* up to \d{3}-/)
    expect(refusal.message).not.toContain('corrupted')
    expect(await migrationsOf(fresh)).toEqual(before)
  })

  it('roll back all migrations if a later one fails', async () => {
    const fresh = await freshDatabase('empty')
    await fresh.run('create table audits (in_the_way integer)')
    await expect(fresh.open()).rejects.toThrow(/audits.*already exists/)
    const ownTables = ['audits', 'schema_migrations', 'schema_migrations_lock']
    expect(await tablesOf(fresh)).toEqual(ownTables)
    expect(await migrationsOf(fresh)).toEqual([])
    await fresh.run('drop table audits')
    await fresh.open()
    expect(await tablesOf(fresh)).toEqual(TABLES)
  })
})
