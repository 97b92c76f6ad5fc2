import { expect, it } from 'vitest'
import { severityOf } from '../../../../../src/guidance/interchange/spreadsheets/reading/values.ts'

it.each([
  ['CAT I', 'high'],
  ['CAT II', 'medium'],
  ['CAT III', 'low'],
  ['cat 1', 'high'],
  ['cat 2', 'medium'],
  ['cat 3', 'low'],
  ['High', 'high'],
  ['Medium', 'medium'],
  ['Low', 'low'],
  ['CAT IV', null],
])('The severity %s is %s', (text, severity) => {
  expect(severityOf(text)).toBe(severity)
})
