// @module-tag database

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
} from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import type { DialectName } from '../../../src/guidance/database/dialect.ts'
import { migrationsFor } from '../../../src/guidance/database/migrations/list.ts'

const digests = z.record(z.string(), z.string())
const released = z
  .object({ sqlite: digests, postgres: digests })
  .parse(JSON.parse(readFileSync('test/fixtures/migrations.json', 'utf8')))

/** They compile what is asked, and ask nobody. */
const COMPILERS: Readonly<Record<DialectName, Dialect>> = {
  sqlite: {
    createDriver: () => new DummyDriver(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createDriver: () => new DummyDriver(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}

/** Digests of the statements that each migration sends. */
async function digestsOf(dialect: DialectName): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const [name, migration] of Object.entries(migrationsFor(dialect))) {
    const hash = createHash('sha256')
    const db = new Kysely<unknown>({
      dialect: COMPILERS[dialect],
      log: ({ query }) => {
        hash.update(JSON.stringify([query.sql, query.parameters]))
      },
    })
    await migration.up(db)
    found[name] = hash.digest('hex').slice(0, 16)
  }
  return found
}

// Databases that it has changed stay as they are: whoever needs another schema adds a migration, and its line there.
it.each(['sqlite', 'postgres'] as const)(
  'A released migration always sends the same statements to %s',
  async (dialect) => {
    // One of them puts rows there, with their time.
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await digestsOf(dialect)).toEqual(released[dialect])
  },
)
