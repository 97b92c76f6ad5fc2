const MAX_NAME = 255

/** A usable e-mail address in lower case, or null. At most 254 characters (RFC 5321, 4.5.3.1.3). */
export function emailOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const email = value.trim().toLowerCase()
  return email.length <= 254 && /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u.test(email)
    ? email
    : null
}

/** The first of these that says something, on one line and without what no database can hold. */
export function nameOf(...values: readonly unknown[]): string | null {
  for (const value of values) {
    if (typeof value !== 'string') continue
    const name = value.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim()
    if (name !== '') return Array.from(name).slice(0, MAX_NAME).join('').trim()
  }
  return null
}
