import type { Selectable } from 'kysely'
import type { Actor } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { isDuplicate } from '../../database/faults.ts'
import type { SecondFactorKind, SecondFactorsTable } from '../../database/schema/users.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import { endSessions } from '../credentials/credentials.ts'
import type { User } from '../users/reader.ts'
import { holdUser, subjectOf } from '../users/record.ts'

export type SecondFactor = Selectable<SecondFactorsTable>

/** Limit for one account: each one-time code is compared with all of its secrets. */
const MAX_FACTORS = 10

const TITLES: Record<SecondFactorKind, string> = { passkey: 'passkey', totp: 'one-time codes' }

/** In the order in which they were added. */
export function findFactors(reader: Reader, userId: number): Promise<SecondFactor[]> {
  const query = reader.selectFrom('second_factors').selectAll().where('user_id', '=', userId)
  return query.orderBy('id').execute()
}

/** The ids of a second factor and of the account that it belongs to. */
interface OwnFactor {
  readonly id: number
  readonly userId: number
}

interface NewFactor extends Pick<SecondFactor, 'kind' | 'name' | 'key' | 'used_up_to'> {
  readonly credentialId: string | null
  readonly transports: readonly string[]
}

export async function insertFactor(
  writer: Writer,
  user: User,
  { factor, actor, title }: { factor: NewFactor; actor: Actor; title: string },
): Promise<SecondFactor> {
  const { credentialId, transports, ...values } = factor
  if ((await findFactors(writer, user.id)).length >= MAX_FACTORS) {
    const message = `You have reached the maximum of ${MAX_FACTORS} second factors`
    throw refuseValues(title, [{ field: null, message }])
  }
  try {
    const added = await writer
      .insertInto('second_factors')
      .values({
        ...values,
        user_id: user.id,
        credential_id: credentialId,
        transports: JSON.stringify(transports),
        created_at: new Date().toISOString(),
        last_used_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await note(writer, user, { actor, comment: `A second factor was added: ${describeFactor(added)}` })
    return added
  } catch (error) {
    if (!isDuplicate(error)) throw error
    const message = 'This passkey belongs to an account already'
    throw refuseValues(title, [{ field: null, message }])
  }
}

export async function renameFactor(
  writer: Writer,
  { id, userId }: OwnFactor,
  { name, actor }: { readonly name: string; readonly actor: Actor },
): Promise<SecondFactor> {
  const user = await holdUser(writer, userId)
  const before = await requireFactor(writer, { id, userId })
  const after = await writer
    .updateTable('second_factors')
    .set({ name })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await note(writer, user, {
    actor,
    comment: `A second factor was renamed: ${describeFactor(before)}, now '${after.name}'`,
  })
  return after
}

/** Removes a second factor; with the last one also the recovery codes, unless a second factor is required. */
export async function removeFactor(
  writer: Writer,
  { id, userId }: OwnFactor,
  { actor, title, mayBeLast }: { actor: Actor; title: string; mayBeLast: (user: User) => boolean },
): Promise<SecondFactor> {
  const user = await holdUser(writer, userId)
  const removed = await requireFactor(writer, { id, userId })
  const isLast = (await findFactors(writer, userId)).length === 1
  if (isLast && !mayBeLast(user)) {
    const message = 'You must have a second factor: add another one before you remove this one'
    throw refuseValues(title, [{ field: null, message }])
  }
  await writer.deleteFrom('second_factors').where('id', '=', removed.id).execute()
  if (isLast) await writer.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await note(writer, user, { actor, comment: `A second factor was removed: ${describeFactor(removed)}` })
  return removed
}

/** Removes all second factors with the recovery codes, and ends the sessions; returns their number. */
export async function resetFactors(writer: Writer, { id }: Pick<User, 'id'>, actor: Actor): Promise<number> {
  const user = await holdUser(writer, id)
  const removed = await findFactors(writer, id)
  await clearFactors(writer, id)
  await endSessions(writer, id, null)
  const names = removed.map(describeFactor).join(', ')
  await note(writer, user, { actor, comment: `The second factor was reset: ${names || 'none'}` })
  return removed.length
}

/** Also resets the count of wrong codes. */
export async function clearFactors(writer: Writer, userId: number): Promise<void> {
  await writer.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  await writer.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await forgetWrongCodes(writer, userId)
}

export async function forgetWrongCodes(writer: Writer, userId: number): Promise<void> {
  await writer.updateTable('users').set({ wrong_codes: 0, wrong_code_at: null }).where('id', '=', userId).execute()
}

export function note(
  writer: Writer,
  user: User,
  { actor, comment }: { readonly actor: Actor; readonly comment: string },
): Promise<void> {
  return writeAudit(writer, actor, { action: 'custom', subject: subjectOf(user), comment })
}

async function requireFactor(reader: Reader, { id, userId }: OwnFactor): Promise<SecondFactor> {
  const ownFactor = (await findFactors(reader, userId)).find((factor) => factor.id === id)
  if (ownFactor === undefined) throw notFound()
  return ownFactor
}

export function describeFactor({ kind, name }: Pick<SecondFactor, 'kind' | 'name'>): string {
  return `${TITLES[kind]} '${name}'`
}
