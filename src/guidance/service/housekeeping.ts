import type { ProcessPosition } from '../../platform/processes/process-position.ts'
import { removeOldEvents } from '../activity/events/retention.ts'
import { goneBefore } from '../activity/presence/reader.ts'
import { FOUND_MS } from '../authoring/memberships/acquaintance.ts'
import { revokeStaleTokens } from '../identity/tokens/writer.ts'
import { ABANDONED_MS as STAGED_MS, removeAbandonedImports } from '../interchange/archives/importing/staging.ts'
import { removeOldMerges } from '../interchange/merges/storing/store.ts'
import type { Parts } from '../parts/parts.ts'
import { removeOldChanges } from '../search-feed/log.ts'

const EVERY_MS = 10 * 60_000
/** How long the results of imports are kept. */
const IMPORTS_MS = 30 * 86_400_000
/** An import without progress for this long is dead: its file is gone. */
const ABANDONED_MS = 2 * 86_400_000

export interface Housekeeping {
  /** Also waits for a round in progress. */
  stop(): Promise<void>
}

/**
 * Now and then removes what has run out: sessions, links, old imports and merges, imports that were broken off, events and changes; and
 * revokes stale tokens.
 */
export function startHousekeeping(
  parts: Pick<Parts, 'database' | 'settings' | 'log'>,
  { begins }: Pick<ProcessPosition, 'begins'>,
): Housekeeping {
  const started = new Date()
  // Other services may be importing into a PostgreSQL database, but not into a SQLite file when the first process begins.
  const isAlone = begins && parts.database.dialect === 'sqlite'
  const begin = async (): Promise<void> => {
    if (isAlone) await removeAbandonedImports(parts.database, started)
    await cleanUp(parts)
  }
  let round: Promise<void> = Promise.resolve()
  const start = (work: () => Promise<void>): void => {
    round = work().catch((error: unknown) => {
      parts.log.error({ err: error }, 'The clean-up failed')
    })
  }
  start(begin)
  const timer = setInterval(() => {
    start(() => cleanUp(parts))
  }, EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await round
    },
  }
}

export async function cleanUp({
  database,
  settings,
  log,
}: Pick<Parts, 'database' | 'settings' | 'log'>): Promise<void> {
  const now = Date.now()
  const idle = new Date(now - settings.session.idleMs).toISOString()
  const over = new Date(now).toISOString()
  const revoked = await database.transact(async (writer) => {
    await writer
      .deleteFrom('sessions')
      // Anonymous sessions expire as the database says, whatever the setting for people is.
      .where((is) =>
        is.or([is.and([is('user_id', 'is not', null), is('touched_at', '<', idle)]), is('expires_at', '<', over)]),
      )
      .execute()
    await writer.deleteFrom('presences').where('seen_at', '<', goneBefore()).execute()
    await writer.deleteFrom('one_time_links').where('expires_at', '<', over).execute()
    const forgotten = new Date(now - FOUND_MS).toISOString()
    await writer.deleteFrom('found_users').where('found_at', '<', forgotten).execute()
    await writer
      .updateTable('imports')
      .set({ state: 'failed', spool: null, updated_at: over })
      .where('state', 'in', ['waiting', 'running'])
      .where('updated_at', '<', new Date(now - ABANDONED_MS).toISOString())
      .execute()
    await writer
      .deleteFrom('imports')
      .where('state', 'not in', ['waiting', 'running'])
      .where('updated_at', '<', new Date(now - IMPORTS_MS).toISOString())
      .execute()
    return revokeStaleTokens(writer)
  })
  await removeOldEvents(database)
  await removeOldMerges(database)
  await removeOldChanges(database)
  await removeAbandonedImports(database, new Date(now - STAGED_MS))
  if (revoked > 0) log.info({ revoked }, 'Stale tokens were revoked')
}
