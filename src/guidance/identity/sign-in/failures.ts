import { createHmac } from 'node:crypto'
import { isStorable } from '../../../http/input.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Figure } from '../../../platform/figures.ts'
import type { Parts } from '../../parts/parts.ts'
import { findUserByEmail, findUserByIdentity } from '../users/reader.ts'
import { spellingOf } from './guesses.ts'

/** An account, or (`unknown`) a digest that distinguishes unknown names without revealing them. */
type AttemptedAccount = { readonly user: number } | { readonly unknown: string }

interface SignInAttempt {
  readonly method: 'password' | 'ldap' | 'oidc' | 'token' | 'proof' | 'second factor'
  /** The client's address. */
  readonly address: string
  /** Called when the attempt has failed; null if no account was named. */
  readonly findAccount: () => Promise<AttemptedAccount | null>
}

/** Failures in this process. */
const failures: Record<SignInAttempt['method'], number> = {
  password: 0,
  'second factor': 0,
  ldap: 0,
  oidc: 0,
  token: 0,
  proof: 0,
}

export const failedSignIns: Figure = {
  name: 'sign_ins_failed_total',
  help: 'Failed sign-in attempts, by method.',
  kind: 'counter',
  labels: ['way'],
  read: () => Object.entries(failures).map(([method, value]) => ({ value, labels: { way: method } })),
}

/**
 * Runs an attempt to sign in, and logs its refusal. Typed text is never logged, because people type passwords into the
 * wrong field.
 */
export async function logFailure<T>(
  { log }: Pick<Parts, 'log'>,
  { method, address, findAccount }: SignInAttempt,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    // A token without the scope is not a failed guess.
    if (error instanceof Refusal && error.code !== 'insufficient_token_scope') {
      failures[method] += 1
      const account = await findAccount().catch(() => null)
      log.warn({ way: method, code: error.code, address, ...account }, 'A sign-in failed')
    }
    throw error
  }
}

type LookupParts = Pick<Parts, 'database' | 'keys'>

export async function findAccountOfAddress(
  { database, keys }: LookupParts,
  typed: unknown,
): Promise<AttemptedAccount | null> {
  if (typeof typed !== 'string') return null
  const email = typed.trim().slice(0, MAX_TYPED)
  const user = isStorable(email) ? await findUserByEmail(database.read, email) : null
  return user === null ? stranger(keys, email) : { user: user.id }
}

/** Finds the account linked with this identity, else makes a digest of the name. */
export async function findAccountOfIdentity(
  { database, keys }: LookupParts,
  identity: { readonly provider: 'oidc' | 'ldap'; readonly uid: string } | null,
  typed: unknown,
): Promise<AttemptedAccount | null> {
  const user = identity === null ? null : await findUserByIdentity(database.read, identity)
  if (user !== null) return { user: user.id }
  const name = typeof typed === 'string' ? typed.slice(0, MAX_TYPED) : identity?.uid
  return name === undefined ? null : stranger(keys, name)
}

const MAX_TYPED = 1000
const KEY_LENGTH = 16

function stranger({ log }: Parts['keys'], name: string): AttemptedAccount {
  const digest = createHmac('sha256', log).update(spellingOf(name)).digest('base64url')
  return { unknown: digest.slice(0, KEY_LENGTH) }
}
