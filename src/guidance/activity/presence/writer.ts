import type { Caller } from '../../../http/caller.ts'
import type { Writer } from '../../database/transaction.ts'
import { goneBefore } from './reader.ts'

/** Windows of one person; the latest ones count. */
const MOST_OWN = 20

interface PresenceReport {
  readonly caller: Pick<Caller, 'id' | 'via'>
  readonly window: string
  readonly componentId: number
  readonly ruleId: number | null
}

/** Stores for a while where people are, and removes those without a message for that long. */
export async function rememberPresence(
  writer: Writer,
  { caller, window, componentId, ruleId }: PresenceReport,
): Promise<void> {
  const { id: userId, via } = caller
  if (via.kind === 'session' && !(await isThere(writer, via.id))) return
  const place = {
    component_id: componentId,
    rule_id: ruleId,
    seen_at: new Date().toISOString(),
    session_id: via.kind === 'session' ? via.id : null,
  }
  await writer.deleteFrom('presences').where('seen_at', '<', goneBefore()).execute()
  await writer
    .insertInto('presences')
    .values({ user_id: userId, window, ...place })
    .onConflict((conflict) => conflict.columns(['user_id', 'window']).doUpdateSet(place))
    .execute()
  const beyond = await writer
    .selectFrom('presences')
    .select('window')
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .offset(MOST_OWN)
    .limit(MOST_OWN)
    .execute()
  for (const { window: oldest } of beyond) await forgetPresence(writer, userId, oldest)
}

/** Somebody may sign out in another window while this one says where it is. */
async function isThere(writer: Writer, sessionId: number): Promise<boolean> {
  const found = await writer.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst()
  return found !== undefined
}

export async function forgetPresence(writer: Writer, userId: number, window: string): Promise<void> {
  await writer.deleteFrom('presences').where('user_id', '=', userId).where('window', '=', window).execute()
}
