import { createHmac, randomInt } from 'node:crypto'
import type { Reader, Writer } from '../../database/transaction.ts'

/** Without letters and digits that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const COUNT = 10
/** About 59 bits, so that a code cannot be guessed whatever the limits are. */
const LENGTH = 12
const GROUP = 4

/** Makes new codes, which replace the unused ones. They can be shown only now. */
export async function replaceRecoveryCodes(writer: Writer, key: Buffer, userId: number): Promise<readonly string[]> {
  const codes = Array.from({ length: COUNT }, makeCode)
  const created_at = new Date().toISOString()
  await writer.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await writer
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, digest: digestOf(code, key, userId), created_at })))
    .execute()
  return codes
}

/** Uses a recovery code; returns whether it was valid. */
export async function spendRecoveryCode(
  writer: Writer,
  key: Buffer,
  { userId, code }: { readonly userId: number; readonly code: string },
): Promise<boolean> {
  const spent = await writer
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('digest', '=', digestOf(code, key, userId))
    .returning('user_id')
    .executeTakeFirst()
  return spent !== undefined
}

export async function countRecoveryCodes(reader: Reader, userId: number): Promise<number> {
  const { left } = await reader
    .selectFrom('recovery_codes')
    .select((is) => is.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return left
}

function makeCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return letters.join('').replaceAll(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-')
}

/** Upper case, blanks and hyphens are ignored. */
function digestOf(code: string, key: Buffer, userId: number): string {
  const letters = code.toLowerCase().replaceAll(/[^\da-z]/g, '')
  return createHmac('sha256', key).update(`recovery code of ${userId}: ${letters}`).digest('base64url')
}
