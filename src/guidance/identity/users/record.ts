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

/** Name and address on separate lines, so that no search matches across them. */
export function searchKey(name: string, email: string): string {
  return foldText(`${name}\n${email}`)
}

/** The account as it is now, locked until the transaction ends. */
export async function holdUser(writer: Writer, id: number): Promise<User> {
  await writer.lock('user', id)
  return requireUser(writer, id)
}

/** The caller's own account, locked likewise; who has none any more is nobody (401). */
export async function holdOwn(writer: Writer, caller: { readonly id: number }): Promise<User> {
  await writer.lock('user', caller.id)
  return requireOwn(writer, caller)
}

export function refuseUser(title: string, message: string): Refusal {
  return refuseWithToast('validation_failed', title, [{ field: null, message }])
}
