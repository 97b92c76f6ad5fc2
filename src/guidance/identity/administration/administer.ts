import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { toastSchema } from '../../../http/toast.ts'
import type { Writer } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { makeAccountLink } from '../links/mailed-links.ts'
import type { IdentityParts } from '../parts.ts'
import { proveIdentity, proveRecently, unprovenRefusal, type IdentityProof } from '../sign-in/proof.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { findAdministeredUsers, requireUser, type User } from '../users/reader.ts'
import { administeredUser, type AdministeredUser } from '../users/schemas.ts'
import { signInMethodsOf } from '../users/sign-in-methods.ts'

/** An answer with the account after the change. */
export const withUser = z.object({ toast: toastSchema, user: administeredUser })

/** Changes an account, which stays locked meanwhile. */
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

/** The proof of identity that an administrator gives before an account changes. */
type RequiredProof = 'none' | 'recent' | 'password'

/** Opening an administrator's account, or the caller's own, needs more than a session. */
export function proofToOpen(user: User, { id }: Pick<Caller, 'id'>): RequiredProof {
  return user.id === id || user.admin === 1 ? 'password' : 'none'
}

interface ProvenChange<T> {
  readonly id: number
  readonly claim: IdentityProof
  readonly proofFor: (user: User) => RequiredProof
  readonly work: (writer: Writer, user: User) => Promise<T>
}

/**
 * Changes one account after the proof that it needs. Checks the need again inside the transaction, because the
 * account may have changed meanwhile.
 */
export async function changeProven<T>(
  parts: Parts,
  local: LocalSignIn,
  { id, claim, proofFor, work }: ProvenChange<T>,
): Promise<T> {
  const proof = proofFor(await requireUser(parts.database.read, id))
  if (proof === 'password') await proveIdentity(parts, local, claim)
  if (proof === 'recent') await proveRecently(parts, local, claim)
  return change(parts, id, (writer, user) => {
    if (proofFor(user) !== proof) throw unprovenRefusal()
    return work(writer, user)
  })
}

export async function show(parts: IdentityParts, id: number): Promise<AdministeredUser> {
  const [user] = await findAdministeredUsers(parts.database.read, signInMethodsOf(parts), id)
  if (user === undefined) throw notFound()
  return user
}

/** If `email` is set, using the link proves that the address belongs to the user. */
export function resetLink(
  writer: Writer,
  parts: Parts,
  to: { readonly userId: number; readonly email: string | null },
): Promise<string> {
  return makeAccountLink(writer, parts, { purpose: 'reset_password', ...to })
}
