import type { ProcessPosition } from '../../platform/processes/process-position.ts'
import { removeOldEvents } from '../activity/events/retention.ts'
import { oldestValidTime } from '../activity/presence/reader.ts'
import { FOUND_MS } from '../authoring/memberships/known-people.ts'
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
 * Regularly removes expired sessions and links, old and abandoned imports, old merges, events and changes, and revokes
 * stale tokens.
 */
export function startHousekeeping(
  parts: Pick<Parts, 'database' | 'settings' | 'log'>,
  { isFirst }: Pick<ProcessPosition, 'isFirst'>,
): Housekeeping {
  const started = new Date()
  // Other services may be importing into a PostgreSQL database, but not into a SQLite file when the first process begins.
  const isAlone = isFirst && parts.database.dialect === 'sqlite'
  const firstRound = async (): Promise<void> => {
    if (isAlone) await removeAbandonedImports(parts.database, started)
    await cleanUp(parts)
  }
  let round: Promise<void> = Promise.resolve()
  const start = (work: () => Promise<void>): void => {
    round = work().catch((error: unknown) => {
      parts.log.error({ err: error }, 'The clean-up failed')
    })
  }
  start(firstRound)
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
  const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()
  const now = ago(0)
  const idle = ago(settings.session.idleMs)
  const revoked = await database.transact(async (writer) => {
    await writer
      .deleteFrom('sessions')
      // Anonymous sessions expire as the database says, whatever the setting for people is.
      .where((is) =>
        is.or([is.and([is('user_id', 'is not', null), is('touched_at', '<', idle)]), is('expires_at', '<', now)]),
      )
      .execute()
    await writer.deleteFrom('presences').where('seen_at', '<', oldestValidTime()).execute()
    await writer.deleteFrom('one_time_links').where('expires_at', '<', now).execute()
    await writer.deleteFrom('found_users').where('found_at', '<', ago(FOUND_MS)).execute()
    await writer
      .updateTable('imports')
      .set({ state: 'failed', spool: null, updated_at: now })
      .where('state', 'in', ['waiting', 'running'])
      .where('updated_at', '<', ago(ABANDONED_MS))
      .execute()
    await writer
      .deleteFrom('imports')
      .where('state', 'not in', ['waiting', 'running'])
      .where('updated_at', '<', ago(IMPORTS_MS))
      .execute()
    return revokeStaleTokens(writer)
  })
  await removeOldEvents(database)
  await removeOldMerges(database)
  await removeOldChanges(database)
  await removeAbandonedImports(database, new Date(Date.now() - STAGED_MS))
  if (revoked > 0) log.info({ revoked }, 'Stale tokens were revoked')
}
