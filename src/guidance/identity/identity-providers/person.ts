import { emailValue } from '../users/schemas.ts'

/** The same limit as for typed names. */
const MAX_NAME = 255

/** An e-mail address in lower case, if it is valid by the rules of `emailValue`; else null. */
export function emailOf(value: unknown): string | null {
  const email = emailValue.safeParse(value)
  return email.success ? email.data : null
}

/** The first text that is not empty, on one line and without characters that cannot be stored. */
export function nameOf(...values: readonly unknown[]): string | null {
  for (const value of values) {
    if (typeof value !== 'string') continue
    const name = value.replace(/[\s\p{Cc}\p{Cs}\ufffe\uffff]+/gu, ' ').trim()
    // The cut must not split a character.
    if (name !== '')
      return name
        .slice(0, MAX_NAME)
        .replace(/[\ud800-\udbff]$/, '')
        .trim()
  }
  return null
}
