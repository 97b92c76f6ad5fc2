// @module-tag database

import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { BackupManifest } from '../../src/commands/backups/manifest.ts'
import { packInto } from '../../src/commands/backups/pack.ts'
import { restoreBackup, type RestoreTarget } from '../../src/commands/backups/restore-backup.ts'
import { openBackup, textOf } from '../../src/commands/backups/unpack.ts'
import { verifyBackup } from '../../src/commands/backups/verify-backup.ts'
import { writeBackup, type KeyChoice } from '../../src/commands/backups/write-backup.ts'
import { insertMembership } from '../../src/guidance/authoring/memberships/writer.ts'
import type { Writer } from '../../src/guidance/database/transaction.ts'
import { insertUser } from '../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../src/http/caller.ts'
import { altered, bytesOf, flip } from '../support/altered-backup.ts'
import { sendGood } from '../support/catalogue.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'
import { startGuidance, type GuidanceUnderTest, type SessionClient } from '../support/guidance.ts'
import { storeCciList } from '../support/reference-data.ts'
import { refusalOf } from '../support/refusal.ts'
import { ingestInto } from '../support/service.ts'
import { xccdfDocument } from '../support/xccdf-document.ts'

const TEN = ['test/fixtures/ontology/ten.ttl']
const WRITERS = 8
const SECRET = 'a secret that only a backup with the key has'
const PASSPHRASE = 'correct horse battery stäple'

const display = { update: () => undefined, stop: () => undefined }
const NO_KEY: KeyChoice = { kind: 'none', passphrase: null }
const OPTIONS = { withKey: true, passphrase: null, display }

const ids = z.array(z.looseObject({ id: z.int(), name: z.string() }))

function backUp(
  { dataDir, databaseUrl }: Pick<RestoreTarget, 'dataDir' | 'databaseUrl'>,
  file: string,
  key = NO_KEY,
): Promise<BackupManifest> {
  return writeBackup(file, { dataDir, databaseUrl, secretKey: null, version: '0.0.0' }, { key, display })
}

function targetOf({ dataDir, url }: FreshDatabase): RestoreTarget {
  return { dataDir, databaseUrl: url, secretKey: null }
}

/** A folder for a SQLite file, whatever the tests run on. */
async function sqliteTarget(): Promise<RestoreTarget> {
  return { dataDir: join(await temporaryFolder(), 'data'), databaseUrl: null, secretKey: null }
}

/** A place that a service has used. */
async function migrated(work: (writer: Writer) => Promise<void> = () => Promise.resolve()): Promise<RestoreTarget> {
  const fresh = await freshDatabase()
  const database = await fresh.open()
  await database.transact(work)
  return targetOf(fresh)
}

async function serve({ dataDir, databaseUrl }: RestoreTarget): Promise<GuidanceUnderTest> {
  const env = databaseUrl === null ? {} : { SERVICE_DATABASE_URL: databaseUrl }
  const under = await startGuidance(dataDir, env)
  onTestFinished(() => under.service.close())
  return under
}

function digests({ database }: BackupManifest): readonly unknown[] {
  return database.tables.map(({ name, rows, lastId, part }) => [name, rows, lastId, part.sha256])
}

/** Adds projects until it is told to stop; notes the name of each that was acknowledged. */
async function keepWriting(
  client: SessionClient,
  { writer, ledger, signal }: { writer: number; ledger: string[]; signal: AbortSignal },
): Promise<void> {
  for (let index = 0; !signal.aborted; index += 1) {
    const name = `Project ${writer}-${index}`
    const { status } = await client.call('POST', '/projects', { body: { project: { name } } })
    if (status < 300) ledger.push(name)
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('A backup', () => {
  it('made under eight writers has all acknowledged changes and restores to either database', async () => {
    const fresh = await freshDatabase()
    await ingestInto(fresh.dataDir, TEN, { version: '1.0.0', date: '2026-01-31' })
    const source = targetOf(fresh)
    const under = await serve(source)
    const root = await under.signUp('Root', { admin: true })
    await sendGood(root, Buffer.from(xccdfDocument({ rules: 3 })))
    await storeCciList(under.service.guidance.database)
    const stop = new AbortController()
    const ledger: string[] = []
    const writers = Array.from({ length: WRITERS }, (_none, writer) =>
      keepWriting(root, { writer, ledger, signal: stop.signal }),
    )
    await until(() => ledger.length > WRITERS)
    const acknowledged = [...ledger]
    const file = join(await temporaryFolder(), 'first.zip')
    const first = await backUp(source, file)
    stop.abort()
    await Promise.all(writers)
    expect(await verifyBackup(file, { passphrase: null, display })).toEqual(first)
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const other = await sqliteTarget()
    await restoreBackup(file, other, OPTIONS)
    const again = join(await temporaryFolder(), 'second.zip')
    expect(digests(await backUp(other, again))).toEqual(digests(first))

    const last = targetOf(await freshDatabase('empty'))
    await restoreBackup(again, last, OPTIONS)
    expect(digests(await backUp(last, `${again}.zip`))).toEqual(digests(first))
    const restored = await serve(last)
    const session = await restored.signIn('root@example.org')
    const { body } = await session.call('GET', '/projects')
    const projects = ids.parse(body)
    expect(projects.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged))
    const cci = await restored.nobody.call('GET', '/api/catalogue/ccis/CCI-000366.json')
    expect(cci.body).toMatchObject({ id: 'CCI-000366', controls: [{ control: 'CM-6' }, { revision: 5 }] })
    const highest = first.database.tables.find(({ name }) => name === 'projects')?.lastId ?? 0
    expect(await restored.project(session)).toBe(highest + 1)
    expect(await restored.service.folder.active()).toBe('1.0.0')
  })

  it('includes the key only on request, in plain text or encrypted with a passphrase', async () => {
    const source = await migrated()
    await writeFile(join(source.dataDir, 'secret.key'), SECRET)
    const home = await temporaryFolder()
    const sealed: KeyChoice = { kind: 'encrypted', passphrase: PASSPHRASE }
    await backUp(source, join(home, 'none.zip'))
    await backUp(source, join(home, 'plain.zip'), { kind: 'plain', passphrase: null })
    await backUp(source, join(home, 'sealed.zip'), sealed)
    const restored = async (name: string, passphrase: string | null): Promise<string | null> => {
      const target = await sqliteTarget()
      await restoreBackup(join(home, name), target, { ...OPTIONS, passphrase })
      const key = join(target.dataDir, 'secret.key')
      if (!existsSync(key)) return null
      expect((await stat(key)).mode & 0o777).toBe(0o600)
      return readFile(key, 'utf8')
    }
    expect(await restored('none.zip', null)).toBeNull()
    expect(await restored('plain.zip', null)).toBe(SECRET)
    for (const form of ['NFC', 'NFD']) expect(await restored('sealed.zip', PASSPHRASE.normalize(form))).toBe(SECRET)
    const prepared = await sqliteTarget()
    await mkdir(prepared.dataDir)
    await writeFile(join(prepared.dataDir, 'secret.key'), SECRET)
    expect(await restoreBackup(join(home, 'plain.zip'), prepared, OPTIONS)).toMatchObject({ key: { kind: 'plain' } })
    expect((await refusalOf(() => restored('sealed.zip', 'another passphrase'))).message).toBe(
      'The passphrase does not open the key in the backup.',
    )
    expect((await refusalOf(() => restored('sealed.zip', null))).code).toBe('usage')
    const { manifest, read, close } = await openBackup(join(home, 'sealed.zip'))
    const { part } = manifest.key
    expect(part === null ? '' : await textOf(read(part))).not.toContain(SECRET)
    close()
  })

  it('is not restored over existing data', async () => {
    const source = await migrated()
    const file = join(await temporaryFolder(), 'backup.zip')
    await backUp(source, file)
    const used = await freshDatabase()
    await used.open()
    const withoutFolder = { ...targetOf(used), dataDir: join(used.dataDir, 'apart') }
    const releasesAlone = await sqliteTarget()
    await mkdir(join(releasesAlone.dataDir, 'ontology'), { recursive: true })
    const taken = [source, targetOf(used), releasesAlone]
    for (const target of [...taken, ...(used.url === null ? [] : [withoutFolder])])
      expect((await refusalOf(() => restoreBackup(file, target, OPTIONS))).code).toBe('target_not_empty')
    expect(existsSync(withoutFolder.dataDir)).toBe(false)
  })
})

async function insertProject(writer: Writer): Promise<number> {
  const now = new Date().toISOString()
  const texts = { name: 'Project', name_key: 'project', description: null, metadata: '{}' }
  const { id } = await writer
    .insertInto('projects')
    .values({ ...texts, visibility: 'hidden', created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A backup of a service that has one project, and an empty place to restore it to. */
async function sample(): Promise<{
  readonly file: string
  readonly manifest: BackupManifest
  readonly target: RestoreTarget
}> {
  const source = await migrated(async (writer) => {
    const account = { name: 'Root', email: 'root@example.org', admin: true, confirmed: true }
    const { id } = await insertUser(writer, { ...account, passwordHash: null }, { actor: SYSTEM, title: '' })
    const projectId = await insertProject(writer)
    await insertMembership(writer, { projectId, userId: id, role: 'admin' }, SYSTEM)
  })
  const file = join(await temporaryFolder(), 'backup.zip')
  const manifest = await backUp(source, file)
  const fresh = await freshDatabase('empty')
  return { file, manifest, target: { ...targetOf(fresh), dataDir: join(fresh.dataDir, 'data') } }
}

describe('A backup that is damaged', () => {
  it('is refused completely, with the place of the damage', async () => {
    const { file, manifest, target } = await sample()
    const whole = await readFile(file)
    const refused = async (path = file): Promise<string> => {
      const how = { passphrase: null, display }
      const { code, message } = await refusalOf(() => verifyBackup(path, how))
      expect(code).toBe('backup_unusable')
      expect((await refusalOf(() => restoreBackup(path, target, OPTIONS))).code).toBe(code)
      expect(existsSync(target.dataDir)).toBe(false)
      return message
    }
    await flip(file, whole.indexOf('tables/users.ndjson') + 60)
    expect(await refused()).toMatch(/^tables\/users\.ndjson is damaged: /)
    await writeFile(file, whole)
    await truncate(file, whole.length - 100)
    expect(await refused()).toContain('is not a backup, or is incomplete')
    await writeFile(file, 'backup')
    expect(await refused()).toContain('is not a backup, or is incomplete')

    await writeFile(file, whole)
    const [users, ...others] = manifest.database.tables.filter(({ name }) => name === 'users')
    expect(others).toEqual([])
    const withMigrations = (migrations: string[]) => ({
      manifest: (original: BackupManifest) => ({ ...original, database: { ...original.database, migrations } }),
    })
    const { migrations, tables } = manifest.database
    const newer = await altered(file, withMigrations([...migrations, '999-later']))
    expect(await refused(newer)).toContain('newer version of this program: it has 999-later')
    expect(await refused(await altered(file, withMigrations(migrations.slice(1))))).toContain(
      'lacks some of the migrations',
    )
    const fewer = tables.filter(({ name }) => name !== 'users')
    const without = (original: BackupManifest): BackupManifest => ({
      ...original,
      database: { ...original.database, tables: fewer },
    })
    expect(await refused(await altered(file, { manifest: without }))).toContain(
      'This table is not in the backup: users (',
    )
    const wrong = await altered(file, {
      rows: (table, text) => (table === 'users' ? text.replace('"id":1', '"id":"1"') : text),
    })
    expect(await refused(wrong)).toBe('tables/users.ndjson, line 1: id is no integer.')
    expect(users?.rows).toBe(1)

    const digests = new Map(tables.map(({ name, part }) => [name, part.sha256]))
    const exchanged = await altered(file, {
      rows: (table, text) => (table === 'users' ? text.replace('Root', 'Toor') : text),
      manifest: (original) => ({
        ...original,
        database: {
          ...original.database,
          tables: original.database.tables.map((table) => ({
            ...table,
            part: { ...table.part, sha256: digests.get(table.name) ?? '' },
          })),
        },
      }),
    })
    expect(await refused(exchanged)).toContain('users.ndjson is damaged: its digest differs')
  })

  it('is refused if rows refer to missing rows, and leaves nothing behind', async () => {
    const { file, target } = await sample()
    const orphaned = await altered(file, {
      rows: (table, text) => (table === 'memberships' ? text.replace('"user_id":1', '"user_id":7') : text),
    })
    const orphan = await refusalOf(() => restoreBackup(orphaned, target, OPTIONS))
    expect(orphan.code).toBe('backup_unusable')
    expect(orphan.message).toBe('A row of memberships refers to another one that is not in the backup.')
    const twice = await altered(file, { rows: (table, text) => (table === 'users' ? `${text}${text}` : text) })
    expect((await refusalOf(() => restoreBackup(twice, target, OPTIONS))).message).toMatch(
      /^The database rejects rows of users: /,
    )
    expect(existsSync(target.dataDir)).toBe(false)
    // So nothing was left in the database either.
    await restoreBackup(file, target, OPTIONS)
  })

  it('does not replace an existing backup if it cannot be completed', async () => {
    const home = await temporaryFolder()
    const file = join(home, 'backup.zip')
    await writeFile(file, 'the last one')
    const failing = packInto(file, async (packer) => {
      await packer.add('first', bytesOf('something'))
      throw new Error('The disk is gone')
    })
    await expect(failing).rejects.toThrow('The disk is gone')
    expect(await readdir(home)).toEqual(['backup.zip'])
    const nowhere = packInto(join(home, 'none', 'backup.zip'), () => Promise.reject(new Error()))
    await expect(nowhere).rejects.toThrow('none is not a folder.')
    expect(await readFile(file, 'utf8')).toBe('the last one')
  })
})
