import { createHmac, randomBytes } from 'node:crypto'
import type { LinkPurpose } from '../../database/schema/links.ts'
import type { Reader, Writer } from '../../database/transaction.ts'

/** How long a link works, in milliseconds. */
export const LINK_MS = {
  reset_password: 6 * 3_600_000,
  confirm_email: 3 * 86_400_000,
  unlock: 86_400_000,
  setup: 86_400_000,
} as const satisfies Record<LinkPurpose, number>

interface LinkOwner {
  readonly purpose: LinkPurpose
  readonly userId: number | null
}

export interface NewLink extends LinkOwner {
  /** The address that the link is mailed to; null if it is not mailed. */
  readonly email: string | null
}

export interface ValidLink {
  readonly userId: number | null
  readonly email: string | null
}

/** Makes the secret of a link, which replaces an earlier one with the same purpose. */
export async function makeLink(writer: Writer, key: Buffer, { purpose, userId, email }: NewLink): Promise<string> {
  const now = Date.now()
  const secret = randomBytes(32).toString('base64url')
  await dropLinks(writer, { purpose, userId })
  await writer
    .insertInto('one_time_links')
    .values({
      purpose,
      user_id: userId,
      email,
      digest: digestOf(secret, key),
      expires_at: new Date(now + LINK_MS[purpose]).toISOString(),
      created_at: new Date(now).toISOString(),
    })
    .execute()
  return secret
}

interface LinkSecret {
  readonly purpose: LinkPurpose
  readonly secret: string
}

/** Finds the owner of a link; null if it is unknown, expired or used. */
export async function findLink(
  reader: Reader,
  key: Buffer,
  { purpose, secret }: LinkSecret,
): Promise<ValidLink | null> {
  const link = await reader
    .selectFrom('one_time_links')
    .select(['user_id', 'email'])
    .where('digest', '=', digestOf(secret, key))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst()
  return link === undefined ? null : { userId: link.user_id, email: link.email }
}

/** Uses a link, which works only once: of two simultaneous requests, one succeeds. */
export async function useLink(writer: Writer, key: Buffer, { purpose, secret }: LinkSecret): Promise<ValidLink | null> {
  const used = await writer
    .deleteFrom('one_time_links')
    .where('digest', '=', digestOf(secret, key))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', new Date().toISOString())
    .returning(['user_id', 'email'])
    .executeTakeFirst()
  return used === undefined ? null : { userId: used.user_id, email: used.email }
}

export async function dropLinks(writer: Writer, { purpose, userId }: LinkOwner): Promise<void> {
  await writer
    .deleteFrom('one_time_links')
    .where('purpose', '=', purpose)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .execute()
}

function digestOf(secret: string, key: Buffer): string {
  return createHmac('sha256', key).update(secret).digest('base64url')
}
