import type { RecordOwner } from '../../contracts/search-feed.ts'
import { latestOf, lineKey, listReleases, type Release } from '../catalogue/benchmarks/releases.ts'
import { manyRows } from '../database/many-rows.ts'
import type { Reader } from '../database/transaction.ts'

/** See `SearchFeed`. */
export async function findOwners(reader: Reader): Promise<readonly RecordOwner[]> {
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
