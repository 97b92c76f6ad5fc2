import { expect, it } from 'vitest'
import { problemAnswer, problemOf } from '../../../src/http/answer/problem.ts'
import { Refusal, type RefusalCode } from '../../../src/platform/errors.ts'

it.each<[RefusalCode, Readonly<Record<string, unknown>>, string | null, string | null]>([
  ['release_unusable', {}, '1', null],
  ['search_not_ready', { retry_after: 7 }, '7', null],
  ['rate_limited', { retry_after: 30 }, '30', null],
  ['not_authenticated', {}, null, 'Token realm="Parapet"'],
  ['not_found', {}, null, null],
])('The problem %s %j has the headers that its status needs', (code, members, retryAfter, challenge) => {
  const { headers } = problemAnswer(problemOf(new Refusal(code, 'No.', members)), 'id')
  const valueOf = (name: string): string | null => headers[headers.indexOf(name) + 1] ?? null
  const present = (name: string): string | null => (headers.includes(name) ? valueOf(name) : null)
  expect([present('Retry-After'), present('WWW-Authenticate')]).toEqual([retryAfter, challenge])
  expect(valueOf('Cache-Control')).toBe('no-store')
})
