import { type Dialect, Kysely } from 'kysely'
import { z } from 'zod'
import type { RecordOwner, SearchFeed } from '../../contracts/search-feed.ts'
import { latestOf, lineKey, listReleases, type Release } from '../catalogue/benchmarks/releases.ts'
import { irisOf } from '../catalogue/linked-data/graph/iris.ts'
import type { DatabaseAddress } from '../database/database.ts'
import { databaseAway, isUnreachable } from '../database/faults.ts'
import { manyRows } from '../database/many-rows.ts'
import type { Schema } from '../database/schema/schema.ts'
import { sqliteDialect } from '../database/sqlite.ts'
import type { Reader } from '../database/transaction.ts'
import { findChanges } from './changes.ts'
import { findMatches } from './matches.ts'
import { findRecords, findReferenceVersion, readReferenceRecords } from './records.ts'
import { findTexts } from './texts.ts'

const address: z.ZodType<DatabaseAddress> = z.union([z.object({ file: z.string() }), z.object({ server: z.string() })])
const feedData = z.object({ place: address, baseUrl: z.string() })

export type FeedData = z.infer<typeof feedData>

/** Opens a separate connection to a database that has already been upgraded. */
export async function openFeed(data: unknown): Promise<SearchFeed> {
  const { place: address, baseUrl } = feedData.parse(data)
  const iris = irisOf(baseUrl)
  const read = new Kysely<Schema>({ dialect: await dialectAt(address) })
  return {
    changes: (after) => withDatabaseRefusals(findChanges(read, after)),
    records: (keys) => withDatabaseRefusals(findRecords(read, keys)),
    rulesOf: (benchmark) => withDatabaseRefusals(findRuleNumbers(read, benchmark)),
    owners: () => withDatabaseRefusals(findOwners(read)),
    matches: (keys) => withDatabaseRefusals(findMatches(read, iris, keys)),
    texts: (keys) => withDatabaseRefusals(findTexts(read, keys)),
    referenceVersion: () => withDatabaseRefusals(findReferenceVersion(read)),
    referenceRecords: () => readReferenceRecords(read),
    close: () => read.destroy(),
  }
}

/** Only refusals keep their type between threads, so an unreachable database becomes one. */
async function withDatabaseRefusals<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isUnreachable(error) ? databaseAway() : error
  }
}

async function findRuleNumbers(reader: Reader, benchmark: number): Promise<readonly number[]> {
  const rows = await reader
    .selectFrom('benchmark_rules')
    .select('id')
    .where('benchmark_id', '=', benchmark)
    .orderBy('id')
    .withPlugin(manyRows)
    .execute()
  return rows.map(({ id }) => id)
}

async function dialectAt(address: DatabaseAddress): Promise<Dialect> {
  if ('file' in address) return sqliteDialect(address.file, 'reader')
  const { postgresDialect } = await import('../database/postgres.ts')
  return postgresDialect(address.server, null, 'feed')
}

/** See `SearchFeed`. */
async function findOwners(reader: Reader): Promise<readonly RecordOwner[]> {
  const releases = await listReleases(reader)
  const newest = new Set(latestOf(releases))
  const components = await reader
    .selectFrom('components')
    .select(['id', 'name', 'prefix', 'title'])
    .orderBy('id')
    .withPlugin(manyRows)
    .execute()
  return [
    ...releases.map((release) => benchmarkOwner(release, newest.has(release))),
    ...components.map(({ id, name, prefix, title }) => ({
      kind: 'component' as const,
      id,
      title: name,
      benchmark: null,
      names: [prefix, title].filter((text) => text !== ''),
    })),
  ]
}

function benchmarkOwner(release: Release, isNewest: boolean): RecordOwner {
  const { id, kind, benchmarkId, line, title, name, version, releaseDate } = release
  return {
    kind: 'benchmark',
    id,
    title,
    names: [...new Set([benchmarkId, line, name])],
    benchmark: { kind, version, line: lineKey(release), isNewest, releaseDate },
  }
}
