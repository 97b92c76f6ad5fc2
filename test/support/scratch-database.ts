import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/guidance/database/database.ts'
import { createLog } from '../../src/platform/log.ts'

export interface ScratchDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Name of a PostgreSQL database with all migrations. */
    readonly migrated: string
  }
}

/** Creates the template of the databases, before the tests that run on PostgreSQL. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env['PARAPET_TEST_POSTGRES']
  if (server === undefined) throw new Error('There is no PostgreSQL server')
  const { name, url, drop } = await createDatabase(server, 'template1')
  await (await openDatabase({ url, dataDir: '', log: createLog('silent') })).close()
  project.provide('migrated', name)
  return drop
}

/**
 * A fresh PostgreSQL database where the tests run on PostgreSQL (`PARAPET_TEST_POSTGRES` is the URL
 * of a server on which databases may be made); null where they run on SQLite.
 */
export async function scratchDatabase(how: 'empty' | 'migrated'): Promise<ScratchDatabase | null> {
  const server = process.env['PARAPET_TEST_POSTGRES']
  if (server === undefined || process.env['PARAPET_TEST_DIALECT'] !== 'postgres') return null
  return createDatabase(server, how === 'empty' ? 'template1' : inject('migrated'))
}

async function createDatabase(server: string, template: string): Promise<ScratchDatabase & { readonly name: string }> {
  const name = `parapet_${randomBytes(8).toString('hex')}`
  await run(server, `create database ${name} template ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: (): Promise<void> => run(server, `drop database if exists ${name} with (force)`) }
}

async function run(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
