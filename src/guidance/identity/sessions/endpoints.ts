import { z } from 'zod'
import { bySession } from '../../../http/access.ts'
import { actorOf, type Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, NO_INPUT, notFound } from '../../../http/input.ts'
import { sessionContent } from '../../../http/session.ts'
import { confirmation, toast } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { endSessions } from '../credentials/credentials.ts'
import { subjectOf } from '../users/record.ts'

const TAG = 'Accounts'

/** The caller's sessions, and ending them; tokens are refused. */
export function sessionEndpoints(parts: Parts): readonly Endpoint[] {
  return [list(parts), endOne(parts), endOthers(parts)]
}

const sessionSchema = z.object({
  id: z.int(),
  current: z.boolean().meta({ description: 'The session of this request' }),
  created_at: z.string(),
  last_used_at: z.string().meta({ description: 'Exact to half a minute' }),
  address: z.string().nullable().meta({ description: 'The address that the sign-in came from' }),
  user_agent: z.string().nullable().meta({ description: 'The browser or program that signed in (User-Agent)' }),
})

type Session = z.infer<typeof sessionSchema>

function list({ database, settings }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/users/sessions',
    operation: 'listSessions',
    tag: TAG,
    summary: 'Sessions of the caller',
    access: bySession,
    input: NO_INPUT,
    answer: z.object({ sessions: z.array(sessionSchema) }),
    handle: async ({ grant: { caller }, session: { recordId } }) => {
      const records = await findSessions(database.read, caller.id, settings.session.idleMs)
      return { sessions: records.map((record) => ({ ...record, current: record.id === recordId })) }
    },
  })
}

function endOne({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/users/sessions/{id}',
    operation: 'endSession',
    tag: TAG,
    summary: 'End one of the caller’s sessions',
    access: bySession,
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params } }) => {
      await database.transact(async (writer) => {
        const { numDeletedRows } = await writer
          .deleteFrom('sessions')
          .where('id', '=', params.id)
          .where('user_id', '=', caller.id)
          .executeTakeFirst()
        if (numDeletedRows === 0n) throw notFound()
        await note(writer, caller, `Session ${params.id} was ended`)
      })
      return toast('Session ended.', 'It can no longer be used.')
    },
  })
}

function endOthers({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/users/sessions',
    operation: 'endOtherSessions',
    tag: TAG,
    summary: 'End all other sessions of the caller',
    access: bySession,
    input: NO_INPUT,
    answer: confirmation,
    handle: async ({ grant: { caller }, session: { recordId } }) => {
      await database.transact(async (writer) => {
        await endSessions(writer, caller.id, recordId)
        await note(writer, caller, 'All other sessions were ended')
      })
      return toast('Other sessions ended.', 'Your account is signed out everywhere else.')
    },
  })
}

function note(writer: Writer, caller: Caller, comment: string): Promise<void> {
  return writeAudit(writer, actorOf(caller), {
    action: 'custom',
    subject: subjectOf(caller),
    comment,
  })
}

/** Finds the valid sessions of a user, the one used last first. */
async function findSessions(reader: Reader, userId: number, idleMs: number): Promise<Omit<Session, 'current'>[]> {
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
