import { createHash } from 'node:crypto'
import session, { type CookieOptions, type SessionData as Stored } from 'express-session'
import { sessionContent, type SessionContent } from '../../../http/session.ts'
import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepared.ts'

declare module 'express-session' {
  interface SessionData {
    /** Our data; the rest belongs to the library. */
    parapet?: SessionContent
    /** The number of the row; undefined until it was read from one. */
    recordId?: number
    touchedAt?: number
    /** The latest end of the session, even if it is in use, in milliseconds since 1970. */
    expiresAt?: number
    /** Whether the session had expired. */
    timedOut?: boolean
  }
}

/** A row is updated at most this often, so that not every read becomes a write. */
const TOUCH_MS = 30_000
/** A session in which nobody has signed in expires early. */
const ANONYMOUS_MS = 15 * 60_000

type Callback = (error?: unknown) => void

interface StoreOptions {
  readonly database: Database
  readonly cookie: CookieOptions
  readonly idleMs: number
  readonly absoluteMs: number
}

/**
 * Sessions in the database, found by a digest of the cookie's value. Saving does not restore a session that was
 * ended meanwhile: only a session without a `recordId` gets a new row.
 */
export class SessionStore extends session.Store {
  readonly #options: StoreOptions

  constructor(options: StoreOptions) {
    super()
    this.#options = options
  }

  override get(sid: string, callback: (error: unknown, session?: Stored | null) => void): void {
    callBack(this.#find(sid), callback)
  }

  override set(sid: string, session: Stored, callback: Callback = () => undefined): void {
    const saving = session.recordId === undefined ? this.#add(sid, session) : this.#save(session)
    callBack(saving, callback)
  }

  override touch(_sid: string, session: Stored, callback: Callback = () => undefined): void {
    callBack(this.#touch(session), callback)
  }

  override destroy(sid: string, callback: Callback = () => undefined): void {
    callBack(this.#remove(sid), callback)
  }

  async #find(sid: string): Promise<Stored | null> {
    const [sessionRow] = await findSession(this.#options.database.read, digestOf(sid))
    if (sessionRow === undefined) return null
    const touchedAt = Date.parse(sessionRow.touched_at)
    const idleMs = sessionRow.user_id === null ? ANONYMOUS_MS : this.#options.idleMs
    const expiresAt = Date.parse(sessionRow.expires_at)
    const timedOut = Math.min(touchedAt + idleMs, expiresAt) <= Date.now()
    return {
      cookie: Object.assign(new session.Cookie(), this.#options.cookie, { originalMaxAge: null }),
      parapet: sessionContent.parse(JSON.parse(sessionRow.data)),
      recordId: sessionRow.id,
      touchedAt,
      expiresAt,
      timedOut,
    }
  }

  async #add(sid: string, session: Stored): Promise<void> {
    const { parapet = {} } = session
    const now = Date.now()
    const user_id = parapet.userId ?? null
    const lifetime = user_id === null ? ANONYMOUS_MS : this.#options.absoluteMs
    const data = JSON.stringify(parapet)
    const { id } = await this.#options.database.transact((writer) =>
      writer
        .insertInto('sessions')
        .values({
          digest: digestOf(sid),
          user_id,
          data,
          created_at: new Date(now).toISOString(),
          touched_at: new Date(now).toISOString(),
          expires_at: new Date(now + lifetime).toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    // The library saves again at the end of the answer; this must not restore the row either.
    session.recordId = id
  }

  async #save({ recordId = 0, parapet }: Stored): Promise<void> {
    await this.#options.database.transact(async (writer) => {
      await writer
        .updateTable('sessions')
        .set({ data: JSON.stringify(parapet), touched_at: new Date().toISOString() })
        .where('id', '=', recordId)
        .execute()
    })
  }

  async #touch({ recordId, timedOut, touchedAt = 0 }: Stored): Promise<void> {
    if (recordId === undefined || timedOut === true || isRecent(touchedAt)) return
    await this.#options.database.transact(async (writer) => {
      await writer
        .updateTable('sessions')
        .set({ touched_at: new Date().toISOString() })
        .where('id', '=', recordId)
        .execute()
    })
  }

  async #remove(sid: string): Promise<void> {
    await this.#options.database.transact(async (writer) => {
      await writer.deleteFrom('sessions').where('digest', '=', digestOf(sid)).execute()
    })
  }
}

/** Seconds until the session ends without a further request; null if nobody is signed in. */
export function secondsLeft(session: Partial<Stored>, idleMs: number): number | null {
  const { parapet, timedOut, touchedAt, expiresAt } = session
  if (parapet?.userId === undefined || timedOut === true) return null
  if (touchedAt === undefined || expiresAt === undefined) return null
  // The current request is recorded when it is answered, unless one was recorded just before.
  const usedAt = isRecent(touchedAt) ? touchedAt : Date.now()
  return Math.max(0, Math.floor((Math.min(usedAt + idleMs, expiresAt) - Date.now()) / 1000))
}

function isRecent(touchedAt: number): boolean {
  return touchedAt + TOUCH_MS > Date.now()
}

const findSession = prepareQuery((reader, digest) =>
  reader
    .selectFrom('sessions')
    .select(['id', 'user_id', 'data', 'touched_at', 'expires_at'])
    .where('digest', '=', digest),
)

function digestOf(sid: string): string {
  return createHash('sha256').update(sid).digest('base64url')
}

function callBack<T>(promise: Promise<T>, callback: (error: unknown, value?: T) => void): void {
  promise.then(
    (value) => {
      callback(null, value)
    },
    (error: unknown) => {
      callback(error)
    },
  )
}
