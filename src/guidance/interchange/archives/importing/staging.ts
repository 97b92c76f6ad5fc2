import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../../platform/errors.ts'
import type { Database } from '../../../database/database.ts'
import type { Writer } from '../../../database/transaction.ts'
import { LAST_STAGING_ID } from '../../../parts/staging.ts'
import { chunksOf } from './chunks.ts'

/** An import that has not written for this long was interrupted. */
export const ABANDONED_MS = 10 * 60_000

/** A transaction ends soon after this time, because other writers wait for it. */
const TRANSACTION_MS = 50

/** The pause after each transaction lets another process lock a SQLite file. */
const PAUSE_MS = 10

/** The number of rules to remove at once. */
const REMOVED_RULES = 40

/**
 * A hidden project for the components of an unfinished import. Each portion has its own transaction, so that others can
 * save in between.
 */
export interface Staging {
  readonly projectId: number
  portion<T>(work: (writer: Writer) => Promise<T>): Promise<T>
  /** Stores the items, a few at a time, in as many portions as necessary. `work` may run twice for the same items. */
  each<T>(items: readonly T[], work: (writer: Writer, portion: readonly T[]) => Promise<void>): Promise<void>
}

export async function openStaging(database: Database): Promise<Staging> {
  const id = LAST_STAGING_ID - randomInt(2 ** 31 - 1)
  const now = new Date().toISOString()
  const project = {
    id,
    name: 'Import',
    name_key: 'import',
    description: null,
    description_key: null,
    visibility: 'hidden',
    metadata: '{}',
    created_at: now,
    updated_at: now,
  } as const
  await database.transact((writer) => writer.insertInto('projects').values(project).execute())
  const portion: Staging['portion'] = async (work) => {
    const result = await database.transact(async (writer) => {
      await touchStaging(writer, id)
      return work(writer)
    })
    await sleep(PAUSE_MS)
    return result
  }
  return {
    projectId: id,
    portion,
    each: async (items, work) => {
      const chunks = [...chunksOf(items)]
      let storedCount = 0
      while (storedCount < chunks.length)
        storedCount += await portion((writer) =>
          workForOneTransaction(chunks.slice(storedCount), (chunk) => work(writer, chunk)),
        )
    },
  }
}

/** Stores chunks until the time for a transaction is over. Returns the number of stored chunks. */
async function workForOneTransaction<T>(
  chunks: readonly (readonly T[])[],
  work: (chunk: readonly T[]) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  let storedCount = 0
  for (const chunk of chunks) {
    await work(chunk)
    storedCount += 1
    if (performance.now() - startedAt > TRANSACTION_MS) break
  }
  return storedCount
}

/** Marks the project as active. Refuses if it has been cleaned up because the process paused for too long. */
async function touchStaging(writer: Writer, id: number): Promise<void> {
  const { numUpdatedRows } = await writer
    .updateTable('projects')
    .set({ updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new Refusal('overloaded', 'The import was interrupted for too long. Send the archive again.')
}

/** Removes imports that have not written since that time, with all their records. */
export async function removeAbandonedImports(database: Database, since: Date): Promise<void> {
  const abandoned = await database.read
    .selectFrom('projects')
    .select('id')
    .where('id', '<=', LAST_STAGING_ID)
    .where('updated_at', '<', since.toISOString())
    .execute()
  for (const { id } of abandoned) await removeStaging(database, id)
}

/** Removes a staging project in portions, so that others wait only briefly. */
export async function removeStaging(database: Database, projectId: number): Promise<void> {
  const components = await database.read
    .selectFrom('components')
    .select('id')
    .where('project_id', '=', projectId)
    .execute()
  for (const { id } of components) await removeRules(database, id)
  await database.transact((writer) => writer.deleteFrom('projects').where('id', '=', projectId).execute())
}

async function removeRules(database: Database, componentId: number): Promise<void> {
  let removed: bigint
  do {
    const result = await database.transact((writer) =>
      writer
        .deleteFrom('rules')
        .where('id', 'in', (query) =>
          query.selectFrom('rules').select('id').where('component_id', '=', componentId).limit(REMOVED_RULES),
        )
        .executeTakeFirstOrThrow(),
    )
    removed = result.numDeletedRows
    await sleep(PAUSE_MS)
  } while (removed > 0n)
}
