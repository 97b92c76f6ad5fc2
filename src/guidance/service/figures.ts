import { statfs } from 'node:fs/promises'
import { counter, gauge, type Figure } from '../../platform/figures.ts'
import type { EventStreams } from '../activity/events/streams.ts'
import type { Database } from '../database/database.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { failedSignIns } from '../identity/sign-in/failures.ts'

interface FigureSources extends Pick<IdentityParts, 'database' | 'storage'> {
  readonly dataDir: string
  readonly streams: EventStreams
  readonly search: { readonly isPreparing: boolean; readonly upToDateAt: number | null }
}

/** Operators see these figures of guidance. */
export function guidanceFigures(sources: FigureSources): readonly Figure[] {
  const { database, storage, dataDir, streams, search } = sources
  return [
    ...statementFigures(database),
    ...waitingFigures(database),
    failedSignIns,
    gauge('event_streams', 'Event streams that are open.', () => streams.count),
    {
      ...gauge('search_ready', '1 if the search index is complete, 0 while it is being built.', () =>
        search.isPreparing ? 0 : 1,
      ),
      across: 'min',
    },
    {
      name: 'search_index_age_seconds',
      help: 'Time since the search index last had all committed changes.',
      kind: 'gauge',
      across: 'max',
      read: () => {
        const { upToDateAt } = search
        return upToDateAt === null ? [] : [{ value: (Date.now() - upToDateAt) / 1000 }]
      },
    },
    {
      ...gauge('storage_writable', '0 from a write that failed for lack of space or rights until one succeeds.', () =>
        storage.hasFault ? 0 : 1,
      ),
      across: 'min',
    },
    folderFigure(dataDir),
  ]
}

function folderFigure(dataDir: string): Figure {
  return {
    name: 'data_folder_bytes',
    help: 'The file system of the data folder: its size, and what is free for the service.',
    kind: 'gauge',
    labels: ['what'],
    across: 'max',
    read: async () => {
      const { bsize, blocks, bavail } = await statfs(dataDir)
      return [
        { value: bsize * blocks, labels: { what: 'size' } },
        { value: bsize * bavail, labels: { what: 'free' } },
      ]
    },
  }
}

function statementFigures({ statements, connections }: Database): readonly Figure[] {
  return [
    counter('statements_total', 'Statements of the database.', () => statements.figures.count),
    counter(
      'statement_seconds_total',
      'Duration of the statements of the database.',
      () => statements.figures.ms / 1000,
    ),
    counter('slow_statements_total', 'Statements that took SERVICE_SLOW_MS or longer.', () => statements.figures.slow),
    counter(
      'database_busy_total',
      'Statements that were repeated because another process had locked the SQLite file.',
      () => statements.figures.busy,
    ),
    {
      name: 'database_connections',
      help: 'Connections to PostgreSQL by state; waiting: requests for a connection.',
      kind: 'gauge',
      labels: ['state'],
      read: () => {
        const pool = connections()
        if (pool === null) return []
        const { busy, idle, waiting } = pool
        return [
          { value: busy, labels: { state: 'busy' } },
          { value: idle, labels: { state: 'idle' } },
          { value: waiting, labels: { state: 'waiting' } },
        ]
      },
    },
  ]
}

function waitingFigures({ read }: Database): readonly Figure[] {
  return [
    {
      name: 'imports',
      help: 'Uploaded files by state, until they are cleaned up.',
      kind: 'gauge',
      labels: ['state'],
      across: 'max',
      read: async () => {
        const rows = await read
          .selectFrom('imports')
          .select(['state', (is) => is.fn.countAll<number>().as('value')])
          .groupBy('state')
          .execute()
        return rows.map(({ state, value }) => ({ value, labels: { state } }))
      },
    },
    {
      ...gauge('webhook_deliveries_waiting', 'Events that have not been delivered to a webhook yet.', async () => {
        const { value } = await read
          .selectFrom('webhook_deliveries')
          .select((is) => is.fn.countAll<number>().as('value'))
          .where('state', '=', 'waiting')
          .executeTakeFirstOrThrow()
        return value
      }),
      across: 'max',
    },
  ]
}
