import { actorOf, type Caller } from '../../../http/caller.ts'
import type { Session } from '../../../http/session.ts'
import { endSessions } from '../credentials/credentials.ts'
import { secondFactorChangedMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import { revokeTokensOf } from '../tokens/writer.ts'
import { requireOwn } from '../users/reader.ts'
import { holdOwn } from '../users/record.ts'
import { describeFactor, insertFactor, type SecondFactor } from './factors.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { hasSecondFactor } from './state.ts'

interface Enrolment {
  readonly caller: Caller
  readonly session: Session
  readonly factor: Parameters<typeof insertFactor>[2]['factor']
  readonly title: string
}

interface EnrolmentResult {
  readonly added: SecondFactor
  /** Only with the first factor of the account; else null. */
  readonly recoveryCodes: readonly string[] | null
}

/**
 * Adds a second factor to the caller's account. The first one ends other sessions and personal access tokens, which
 * somebody who only knows the password may have.
 */
export async function enrol(
  parts: IdentityParts,
  { caller, session, factor, title }: Enrolment,
): Promise<EnrolmentResult> {
  await requireOwn(parts.database.read, caller)
  // Must come before the factor is stored, because from then on this session needs the second step.
  await session.remember({ twoStep: true, challenge: undefined, newSecret: undefined })
  const actor = actorOf(caller)
  const enrolled = await parts.database.transact(async (writer) => {
    const user = await holdOwn(writer, caller)
    const isFirst = !(await hasSecondFactor(writer, user.id))
    const added = await insertFactor(writer, user, { factor, actor, title })
    if (!isFirst) return { added, recoveryCodes: null }
    await endSessions(writer, user.id, session.recordId)
    await revokeTokensOf(writer, user.id, { actor, comment: 'The account got a second factor' })
    const key = parts.keys.secondFactor
    return { added, recoveryCodes: await replaceRecoveryCodes(writer, key, user.id) }
  })
  const change = `A second factor was added to your Parapet account: ${describeFactor(enrolled.added)}.`
  parts.mailer?.send(secondFactorChangedMessage({ to: caller.email, name: caller.name }, change))
  return enrolled
}
