import { hash, verify } from '@node-rs/argon2'
import { isStorable } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import type { PasswordSettings } from '../../../platform/settings/guidance-settings.ts'
import type { Parts } from '../../parts/parts.ts'
import { findGuessable } from './guessable.ts'

/** OWASP's recommendation for Argon2id, the library's default: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** In characters. Longer passwords are refused before they are hashed. */
export const MAX_PASSWORD = 128

/** The hash of an unused password, so that checks take as long for unknown accounts as for known ones. */
let decoy: Promise<string> | null = null

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), ARGON2)
}

/** Whether a password is right. Takes the same time if it is wrong, and if there is no password or account (null). */
export async function isPassword(hashed: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('a password that nobody has')
  const expected = hashed ?? (await decoy)
  const letters = Array.from(password)
  const checked = letters.slice(0, MAX_PASSWORD + 1).join('')
  const isMatch = await verify(expected, checked.normalize('NFKC'))
  return isMatch && hashed !== null && letters.length <= MAX_PASSWORD
}

/** The rules that a new password breaks, as sentences; empty when it may be used. */
export function passwordFaults(password: string, policy: PasswordSettings): readonly string[] {
  if (!isStorable(password)) return ['Password has characters that cannot be used']
  const letters = Array.from(password)
  const count = (kind: RegExp): number => letters.filter((letter) => kind.test(letter)).length
  const minima: readonly (readonly [number, number, string])[] = [
    [count(/\p{Lu}/u), policy.minUppercase, 'upper-case letters'],
    [count(/\p{Ll}/u), policy.minLowercase, 'lower-case letters'],
    [count(/\p{Nd}/u), policy.minNumber, 'digits'],
    [count(/[^\p{L}\p{N}\s]/u), policy.minSpecial, 'special characters'],
  ]
  return [
    ...(letters.length < policy.minLength ? [`Password is too short (minimum is ${policy.minLength} characters)`] : []),
    ...(letters.length > MAX_PASSWORD ? [`Password is too long (maximum is ${MAX_PASSWORD} characters)`] : []),
    ...minima
      .filter(([count, minimum]) => count < minimum)
      .map(([, minimum, characters]) => `Password needs at least ${minimum} ${characters}`),
  ]
}

interface NewPassword {
  readonly password: string
  readonly password_confirmation?: string | undefined
  /** Known texts about the owner: name and address. */
  readonly about: readonly string[]
}

/** Returns the known texts about a person; empty for null. */
export function aboutOf(user: { readonly name: string; readonly email: string } | null): readonly string[] {
  return user === null ? [] : [user.name, user.email]
}

/** Hashes a new password. Refuses (`validation_failed`) with every rule that it breaks. */
export async function hashNewPassword(
  { settings, baseUrl }: Pick<Parts, 'settings' | 'baseUrl'>,
  input: NewPassword,
  title: string,
): Promise<string> {
  checkNewPassword(input, settings.password, title)
  const about = [...input.about, 'Parapet', new URL(baseUrl).hostname]
  const message = await findGuessable(input.password, about)
  if (message !== null) throw refuseValues(title, [{ field: 'password', message }])
  return hashPassword(input.password)
}

/** Refuses a new password that breaks the policy, or whose confirmation differs. */
export function checkNewPassword(
  input: { readonly password: string; readonly password_confirmation?: string | undefined },
  policy: PasswordSettings,
  title: string,
): void {
  const faults = passwordFaults(input.password, policy)
  const errors = faults.map((message) => ({ field: 'password', message }))
  const confirmation = input.password_confirmation
  if (confirmation !== undefined && confirmation !== input.password)
    errors.push({ field: 'password_confirmation', message: "Password confirmation doesn't match" })
  if (errors.length > 0) throw refuseValues(title, errors)
}
