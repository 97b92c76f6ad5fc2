import { expect } from 'vitest'

/** In place of a text in what is expected: any text that has this in it. */
export function containing(part: string): unknown {
  return expect.stringContaining(part)
}

/** Any text that is of this form. */
export function matching(form: RegExp): unknown {
  return expect.stringMatching(form)
}
