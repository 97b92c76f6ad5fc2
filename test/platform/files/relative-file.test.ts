import { expect, it } from 'vitest'
import { relativeFile } from '../../../src/platform/files/relative-file.ts'

it.each([
  ['api/matrix.json', true],
  ['api/..json', true],
  ['api/d3f:Process.json', true],
  ['../precious', false],
  ['api/../../precious', false],
  ['api\\..\\precious', false],
  ['/etc/passwd', false],
  ['\\\\server\\share', false],
  ['C:\\precious', false],
  ['api/..', false],
])('A list of files may have %j: %s', (file, isAllowed) => {
  expect(relativeFile.safeParse(file).success).toBe(isAllowed)
})
