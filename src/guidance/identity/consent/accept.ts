import type { Caller } from '../../../http/caller.ts'
import { refuseTokens } from '../../../http/refusals.ts'
import type { SessionContent, Session } from '../../../http/session.ts'
import type { ConsentSettings } from '../../../platform/settings/guidance-settings.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { findUser } from '../users/reader.ts'
import { subjectOf } from '../users/record.ts'

/** Whether an acceptance is valid: for the current version, and not older than the setting allows. */
export function isAccepted(
  { enabled, version, ttl }: ConsentSettings,
  { consent }: Pick<SessionContent, 'consent'>,
): boolean {
  if (!enabled) return true
  if (consent?.version !== version) return false
  return ttl === 0 || Date.parse(consent.at) + ttl * 1000 > Date.now()
}

/** Refuses callers who have not accepted the terms of use; for a token, the owner must have accepted them. */
export async function requireConsent(
  { database, settings: { consent } }: Pick<Parts, 'database' | 'settings'>,
  { id, via }: Caller,
  session: Session,
): Promise<void> {
  if (!consent.enabled) return
  if (via.kind === 'session') {
    if (isAccepted(consent, session.data)) return
    const detail = 'Show the terms of use that GET /api/settings has, then POST /consent/acknowledge.'
    throw refuseTokens('consent_required', detail)
  }
  if (await hasEverAccepted(database.read, id, consent.version)) return
  const detail = `The owner of the token has to sign in and accept version ${consent.version} of the terms of use.`
  throw refuseTokens('consent_required', detail)
}

async function hasEverAccepted(reader: Reader, userId: number, version: number): Promise<boolean> {
  const consent = await reader
    .selectFrom('consents')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .executeTakeFirst()
  return consent !== undefined
}

/** Copies the acceptance of a session to the account; the first one is audited. */
export async function recordConsent(
  { database, settings }: Pick<Parts, 'database' | 'settings'>,
  { data, recordId, timedOut }: Session,
): Promise<void> {
  const { userId: user_id, consent } = data
  if (user_id === undefined || consent === undefined || timedOut) return
  if (!settings.consent.enabled || !isAccepted(settings.consent, data)) return
  const { version } = consent
  await database.transact(async (writer) => {
    const user = await findUser(writer, user_id)
    if (user === null) return
    const added = await writer
      .insertInto('consents')
      .values({ user_id, version, accepted_at: consent.at })
      .onConflict((conflict) => conflict.columns(['user_id', 'version']).doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (added === undefined) return
    const actor = { id: user.id, name: user.name, via: `session ${recordId ?? ''}`.trim() }
    const comment = `Accepted version ${version} of the terms of use`
    await writeAudit(writer, actor, { action: 'custom', subject: subjectOf(user), comment })
  })
}
