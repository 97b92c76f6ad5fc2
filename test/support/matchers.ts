import { expect } from 'vitest'

/** Matches any text that contains this one. */
export function containing(part: string): unknown {
  return expect.stringContaining(part)
}

/** Matches any text of this form. */
export function matching(form: RegExp): unknown {
  return expect.stringMatching(form)
}
