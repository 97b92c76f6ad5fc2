import { refuseWithToast } from '../../../http/toast.ts'
import { foldText } from '../../../platform/characters.ts'
import type { Refusal } from '../../../platform/errors.ts'
import type { Writer } from '../../database/transaction.ts'
import { requireOwn, requireUser, type User } from './reader.ts'

export function subjectOf({ id, name }: { readonly id: number; readonly name: string }): {
  readonly type: 'User'
  readonly id: number
  readonly name: string
} {
  return { type: 'User', id, name }
}

/** Joins name and address with a line break, so that no search matches across both. */
export function searchKey(name: string, email: string): string {
  return foldText(`${name}\n${email}`)
}

/** Reads an account and locks it until the transaction ends. */
export async function holdUser(writer: Writer, id: number): Promise<User> {
  await writer.lock('user', id)
  return requireUser(writer, id)
}

/** Reads and locks the caller's account; 401 if it was deleted. */
export async function holdOwn(writer: Writer, caller: { readonly id: number }): Promise<User> {
  await writer.lock('user', caller.id)
  return requireOwn(writer, caller)
}

export function refuseUser(title: string, message: string): Refusal {
  return refuseWithToast('validation_failed', title, [{ field: null, message }])
}
