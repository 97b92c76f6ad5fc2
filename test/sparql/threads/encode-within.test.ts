import { expect, it } from 'vitest'
import { encodeWithin } from '../../../src/sparql/threads/encode-within.ts'

it.each([
  ['four bytes', 'éé', 0, null],
  ['five bytes in three letters', 'ééa', 0, 'more than 4 bytes'],
  ['two rows', 'a', 2, null],
  ['three rows', 'a', 3, 'more than 2 rows'],
])('An answer of %s is measured in bytes and rows', (_name, text, rows, detail) => {
  const encode = () => encodeWithin(text, { rows, maxRows: 2, maxBytes: 4 })
  if (detail === null) expect(Buffer.from(encode()).toString()).toBe(text)
  else expect(encode).toThrow(detail)
})
