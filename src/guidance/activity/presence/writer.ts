import type { Caller } from '../../../http/caller.ts'
import type { Writer } from '../../database/transaction.ts'
import { oldestValidTime } from './reader.ts'

/** Limit of windows of one person; older ones are removed. */
const MAX_OWN = 20

interface PresenceReport {
  readonly caller: Pick<Caller, 'id' | 'via'>
  readonly window: string
  readonly componentId: number
  readonly ruleId: number | null
}

/** Stores the open rule of a window, and removes expired presences. */
export async function rememberPresence(
  writer: Writer,
  { caller, window, componentId, ruleId }: PresenceReport,
): Promise<void> {
  const { id: userId, via } = caller
  if (via.kind === 'session' && !(await sessionExists(writer, via.id))) return
  const presence = {
    component_id: componentId,
    rule_id: ruleId,
    seen_at: new Date().toISOString(),
    session_id: via.kind === 'session' ? via.id : null,
  }
  await writer.deleteFrom('presences').where('seen_at', '<', oldestValidTime()).execute()
  await writer
    .insertInto('presences')
    .values({ user_id: userId, window, ...presence })
    .onConflict((conflict) => conflict.columns(['user_id', 'window']).doUpdateSet(presence))
    .execute()
  const surplus = await writer
    .selectFrom('presences')
    .select('window')
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .offset(MAX_OWN)
    .limit(MAX_OWN)
    .execute()
  for (const { window: oldest } of surplus) await forgetPresence(writer, userId, oldest)
}

/** The session may have ended in another window meanwhile. */
async function sessionExists(writer: Writer, sessionId: number): Promise<boolean> {
  const session = await writer.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst()
  return session !== undefined
}

export async function forgetPresence(writer: Writer, userId: number, window: string): Promise<void> {
  await writer.deleteFrom('presences').where('user_id', '=', userId).where('window', '=', window).execute()
}
