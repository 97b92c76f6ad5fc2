// @module-tag database

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { beforeUpgrade } from '../../../src/commands/backups/before-upgrade.ts'
import { verifyBackup } from '../../../src/commands/backups/verify-backup.ts'
import { openDatabase } from '../../../src/guidance/database/database.ts'
import { createLog } from '../../../src/platform/log.ts'
import { readSecrets, readSettings } from '../../../src/platform/settings/settings.ts'
import { environmentOf, freshDatabase, type FreshDatabase } from '../../support/fresh-database.ts'
import { startGuidance } from '../../support/guidance.ts'
import { spreadOf } from '../../support/runs.ts'
import { EARLIER, leftAt, rowsOf } from './earlier-database.ts'

const SILENT = createLog('silent')
const display = { update: () => undefined, stop: () => undefined }

const SCHEMA_OF_SQLITE = "select type, name, sql from sqlite_master where name not like 'sqlite_%' order by 1, 2"
const SCHEMA_OF_POSTGRES = `
  select 'column' as type, table_name || '.' || column_name as name, data_type || is_nullable as what
  from information_schema.columns where table_schema = 'public'
  union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'constraint', conname, pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace
  union all select 'trigger', tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function', proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace
  order by 1, 2, 3`

/** Tables, indexes, triggers and functions, as they were made. */
function schemaOf({ url, run }: FreshDatabase): Promise<readonly unknown[]> {
  return run(url === null ? SCHEMA_OF_SQLITE : SCHEMA_OF_POSTGRES)
}

/** Opens it as a start does. */
async function start(place: FreshDatabase, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { dataDir, url } = place
  const environment = { ...environmentOf(place), ...env }
  const saving = beforeUpgrade({ settings: readSettings(environment), secrets: readSecrets(environment), log: SILENT })
  const database = await openDatabase({ url, dataDir, log: SILENT, beforeUpgrade: saving })
  await database.close()
}

/** The migrations of versions left out are among those of older ones. On PostgreSQL, each takes six times as long. */
const UPGRADED = spreadOf(EARLIER, process.env['PARAPET_TEST_DIALECT'] === 'postgres' ? 4 : 12)

describe('A database of an earlier version', () => {
  it.each(UPGRADED)('is upgraded from %s without loss', async (migration) => {
    const { place, left } = await leftAt(migration)
    await place.open()
    const kept = await rowsOf(place)
    for (const [table, rows] of left) expect(kept.get(table), table).toMatchObject(rows)
    expect(await schemaOf(place)).toEqual(await schemaOf(await freshDatabase()))
    if (place.url !== null) return
    expect(await place.run('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(await place.run('pragma foreign_key_check')).toEqual([])
  })

  it('can be worked in after the upgrade', async () => {
    const { place } = await leftAt('009-events')
    const under = await startGuidance(place.dataDir, environmentOf(place))
    try {
      const ada = await under.signIn('ada@example.org')
      const { body: projects } = await ada.call('GET', '/projects')
      expect(projects).toMatchObject([{ name: 'Teapots', description: 'Tëa & "pots"' }])
      const { body: rule } = await ada.call('GET', '/rules/1')
      expect(rule).toMatchObject({ title: 'Tea is hot', lock_version: 1 })
      const changed = { rule: { title: 'Tea is cold', lock_version: 1 } }
      expect(await ada.call('PUT', '/rules/1', { body: changed })).toMatchObject({ status: 200 })
      const { body: reviews } = await ada.call('GET', '/components/1/comments')
      expect(JSON.stringify(reviews)).toContain('Why not a kettle?')
      const review = { comment: 'Because.', responding_to_review_id: 1 }
      const answer = await ada.call('POST', '/components/1/reviews', { body: { review } })
      expect(answer.status).toBe(200)
    } finally {
      await under.service.close()
    }
  })

  it('is backed up before the upgrade', async () => {
    const { place } = await leftAt('015-phrase-functions')
    await start(place)
    const folder = join(place.dataDir, 'backups')
    const [name = ''] = await readdir(folder)
    const saved = await verifyBackup(join(folder, name), { passphrase: null, display })
    expect(saved.database.migrations.at(-1)).toBe('015-phrase-functions')
    expect(saved.database.tables.find((table) => table.name === 'users')?.rows).toBe(2)
    // A database that is up to date is not backed up again.
    await start(place)
    expect(await readdir(folder)).toEqual([name])
  })

  it('stays unchanged if no backup can be made', async () => {
    const { place } = await leftAt('015-phrase-functions')
    const inTheWay = join(place.dataDir, 'backups')
    await writeFile(inTheWay, 'in the way')
    const schema = await schemaOf(place)
    await expect(start(place)).rejects.toThrow('EEXIST')
    expect(await schemaOf(place)).toEqual(schema)
    await start(place, { SERVICE_UPGRADE_BACKUP_ENABLED: 'false' })
    expect(await schemaOf(place)).not.toEqual(schema)
    expect(await readFile(inTheWay, 'utf8')).toBe('in the way')
  })
})
