import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

export interface ScratchDatabase {
  readonly url: string
  drop(): Promise<void>
}

/**
 * A fresh PostgreSQL database where the tests run on PostgreSQL (`PARAPET_TEST_POSTGRES` is the URL
 * of a server on which databases may be made); null where they run on SQLite.
 */
export async function scratchDatabase(): Promise<ScratchDatabase | null> {
  const server = process.env['PARAPET_TEST_POSTGRES']
  if (server === undefined || process.env['PARAPET_TEST_DIALECT'] !== 'postgres') return null
  const name = `parapet_${randomBytes(8).toString('hex')}`
  await run(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(server, `drop database if exists ${name} with (force)`) }
}

async function run(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
