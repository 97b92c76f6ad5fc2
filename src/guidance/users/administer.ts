import { makeAccountLink } from '../accounts/links.ts'
import type { Writer } from '../database/database.ts'
import { notFound } from '../input.ts'
import type { Parts } from '../parts.ts'
import { findAdministeredUsers, requireUser, type User } from './reader.ts'
import type { AdministeredUser } from './schemas.ts'

/** Changes one account, alone. */
export function change<T>(
  { database }: Parts,
  id: number,
  work: (writer: Writer, user: User) => Promise<T>,
): Promise<T> {
  return database.transact(async (writer) => {
    await writer.lock('user', id)
    return work(writer, await requireUser(writer, id))
  })
}

export async function show({ database }: Parts, id: number): Promise<AdministeredUser> {
  const [user] = await findAdministeredUsers(database.read, id)
  if (user === undefined) throw notFound()
  return user
}

/** Whoever uses a link that was mailed has shown that the address is theirs. */
export function resetLink(
  writer: Writer,
  parts: Parts,
  to: { readonly userId: number; readonly email: string | null },
): Promise<string> {
  return makeAccountLink(writer, parts, { purpose: 'reset_password', ...to })
}
