import { sql } from 'kysely'
import type { FeedChanges, FeedPosition, RecordKey } from '../../contracts/search-feed.ts'
import { manyRows } from '../database/many-rows.ts'
import { prepareQuery } from '../database/prepared.ts'
import type { SearchChangesTable } from '../database/schema/search-changes.ts'
import type { Reader } from '../database/transaction.ts'

/** Entries of the log that one query reads. */
const BATCH_SIZE = 1000

/** The position of an empty log. */
const EMPTY_POSITION: FeedPosition = { sequence: 0, mark: '' }

type ChangeEntry = Pick<SearchChangesTable, 'kind' | 'id'>

/** Entries from a position on, including its own entry, which shows whether the position is of this log. */
const findEntries = prepareQuery((reader: Reader, from) =>
  reader
    .selectFrom('search_changes')
    .select(['sequence', 'mark', 'kind', 'id'])
    .where('sequence', '>=', sql<number>`${from}`)
    .orderBy('sequence')
    .limit(BATCH_SIZE + 1),
)

/** See `SearchFeed`. Called before each search, usually without any changes. */
export async function findChanges(reader: Reader, after: FeedPosition | null): Promise<FeedChanges | null> {
  if (after === null) return findAll(reader)
  const [position = { ...EMPTY_POSITION, kind: 'start' as const, id: 0 }, ...laterEntries] = await findEntries(
    reader,
    String(after.sequence),
  )
  if (position.sequence !== after.sequence || position.mark !== after.mark) return null
  const { sequence, mark } = laterEntries.at(-1) ?? position
  return { position: { sequence, mark }, isMore: laterEntries.length === BATCH_SIZE, ...changedBy(laterEntries) }
}

function changedBy(entries: readonly ChangeEntry[]): Pick<FeedChanges, 'records' | 'benchmarks'> {
  const numbersOf = (kind: ChangeEntry['kind']): number[] => [
    ...new Set(entries.filter((entry) => entry.kind === kind).map(({ id }) => id)),
  ]
  return {
    records: keysOf(numbersOf('rule'), numbersOf('component')),
    benchmarks: numbersOf('benchmark'),
  }
}

/** Changes committed after the first query are reported again after this position. */
async function findAll(reader: Reader): Promise<FeedChanges> {
  const newest = await reader
    .selectFrom('search_changes')
    .select(['sequence', 'mark'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [benchmarks, rules, components] = await Promise.all([
    findNumbers(reader, 'benchmarks'),
    findNumbers(reader, 'rules'),
    findNumbers(reader, 'components'),
  ])
  return { position: newest ?? EMPTY_POSITION, benchmarks, records: keysOf(rules, components), isMore: false }
}

/** Includes rules that are marked as deleted; `findRecords` leaves them out. */
async function findNumbers(reader: Reader, table: 'benchmarks' | 'rules' | 'components'): Promise<readonly number[]> {
  const rows = await reader.selectFrom(table).select('id').orderBy('id').withPlugin(manyRows).execute()
  return rows.map(({ id }) => id)
}

function keysOf(rules: readonly number[], components: readonly number[]): readonly RecordKey[] {
  return [
    ...components.map((id) => ({ kind: 'component' as const, id })),
    ...rules.map((id) => ({ kind: 'authored-rule' as const, id })),
  ]
}
