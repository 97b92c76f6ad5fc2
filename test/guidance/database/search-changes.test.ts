// @module-tag database

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, Migrator } from 'kysely'
import { expect, it } from 'vitest'
import { migrationsFor } from '../../../src/guidance/database/migrations/list.ts'
import { postgresDialect } from '../../../src/guidance/database/postgres.ts'
import { sqliteDialect } from '../../../src/guidance/database/sqlite.ts'
import { freshDatabase, type FreshDatabase } from '../../support/fresh-database.ts'
import { changesAfter, feedOf } from '../search-feed/follower.ts'

const NOW = "'2026-01-01T00:00:00.000Z'"

/** As a program before the log has left it. */
async function oldDatabase(): Promise<FreshDatabase> {
  const fresh = await freshDatabase('empty')
  await mkdir(fresh.dataDir, { recursive: true })
  const db = new Kysely({
    dialect:
      fresh.url === null
        ? sqliteDialect(join(fresh.dataDir, 'parapet.db'), 'writer')
        : postgresDialect(fresh.url, null, 'migrator'),
  })
  const migrations = migrationsFor(fresh.url === null ? 'sqlite' : 'postgres')
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  }).migrateTo('021-short-ids')
  await db.destroy()
  expect(error).toBeUndefined()
  return fresh
}

const DATA = [
  `insert into benchmarks (kind, benchmark_id, version, major, minor, patch, title, name, xccdf, core, digest,
    rule_count, high_count, medium_count, low_count, warnings, created_at)
  values ('srg', 'A', 'V1R1', 1, 1, 0, 'A', 'A', '1.1', 0, '', 0, 0, 0, 0, '[]', ${NOW})`,
  `insert into benchmark_rules (benchmark_id, position, rule_id, title, severity, weight)
  values (1, 0, 'SV-1r1_rule', 'Kettles', 'low', '10.0')`,
  "insert into benchmark_fixes (rule_id, text) values (1, 'Boil.')",
  `insert into projects (name, name_key, visibility, metadata, created_at, updated_at)
  values ('P', 'p', 'hidden', '{}', ${NOW}, ${NOW})`,
  `insert into components (project_id, security_requirements_guide_id, document_type, name, name_key, prefix, title,
    comment_phase, metadata, created_at, updated_at)
  values (1, 1, 'stig', 'Photon', 'photon', 'PHTN-30', 'Photon', 'closed', '{}', ${NOW}, ${NOW})`,
  `insert into rules (component_id, number, title, status, rule_severity, rule_weight, locked_fields, created_at,
    updated_at)
  values (1, 1, 'Lids', 'Not Applicable', 'low', '10.0', '{}', ${NOW}, ${NOW})`,
  "insert into rule_checks (rule_id, content) values (1, 'Look.')",
  "insert into benchmark_words (word, benchmark_id) values ('kettles', 1)",
]

it('A database with word tables gets the log of changes instead and keeps its data', async () => {
  const fresh = await oldDatabase()
  for (const statement of DATA) await fresh.run(statement)
  const database = await fresh.open()
  const left = await fresh.run(
    fresh.url === null
      ? "select name from sqlite_master where name like '%words%' or sql like '%stale%'"
      : `select relname as name from pg_class where relname like '%words%'
        union all select proname from pg_proc where proname like '%\\_words\\_%' or proname like '%\\_entries\\_by\\_%'
        union all select tgname from pg_trigger where tgname like '%words%'`,
  )
  expect(left).toEqual([])
  const feed = await feedOf(fresh)
  const { position, ...all } = await changesAfter(feed, null)
  const records = [
    { kind: 'component', id: 1 },
    { kind: 'authored-rule', id: 1 },
  ]
  expect(all).toEqual({ benchmarks: [1], records, isMore: false })
  expect(await feed.rulesOf(1)).toEqual([1])
  expect(await feed.changes(position)).toMatchObject({ position, records: [], benchmarks: [] })
  await database.transact((writer) =>
    writer.updateTable('rules').set({ title: 'Lids, mostly' }).where('id', '=', 1).execute(),
  )
  const { records: changed } = await changesAfter(feed, position)
  expect(changed).toEqual([{ kind: 'authored-rule', id: 1 }])
  expect(await feed.records(changed)).toMatchObject([{ title: 'Lids, mostly', checks: ['Look.'] }])
})
