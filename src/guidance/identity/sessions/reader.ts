import { sessionContent } from '../../../http/session.ts'
import type { Reader } from '../../database/transaction.ts'

interface SessionRow {
  readonly id: number
  readonly created_at: string
  readonly last_used_at: string
  readonly address: string | null
  readonly user_agent: string | null
}

/** Somebody's valid sessions, the one used last first. */
export async function findSessions(reader: Reader, userId: number, idleMs: number): Promise<SessionRow[]> {
  const now = Date.now()
  const rows = await reader
    .selectFrom('sessions')
    .select(['id', 'data', 'created_at', 'touched_at as last_used_at'])
    .where('user_id', '=', userId)
    .where('touched_at', '>', new Date(now - idleMs).toISOString())
    .where('expires_at', '>', new Date(now).toISOString())
    .orderBy('touched_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ data, ...row }) => {
    const { from } = sessionContent.parse(JSON.parse(data))
    return { ...row, address: from?.address ?? null, user_agent: from?.userAgent ?? null }
  })
}
