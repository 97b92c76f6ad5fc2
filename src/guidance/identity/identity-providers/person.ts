import { emailValue } from '../users/schemas.ts'

/** As long as people may make it themselves. */
const MAX_NAME = 255

/** An e-mail address in lower case, by the rules for those that people give us; null if it is none. */
export function emailOf(value: unknown): string | null {
  const email = emailValue.safeParse(value)
  return email.success ? email.data : null
}

/** The first of these that says something, on one line and without what no database can hold. */
export function nameOf(...values: readonly unknown[]): string | null {
  for (const value of values) {
    if (typeof value !== 'string') continue
    const name = value.replace(/[\s\p{Cc}\p{Cs}\ufffe\uffff]+/gu, ' ').trim()
    // The cut must not leave half of a character.
    if (name !== '')
      return name
        .slice(0, MAX_NAME)
        .replace(/[\ud800-\udbff]$/, '')
        .trim()
  }
  return null
}
