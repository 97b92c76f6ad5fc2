// @module-tag node

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guardFormulas, unguardFormulas } from '../../../src/platform/csv/formula-guard.ts'

const pieces = fc.constantFrom("'", '=', '+', '-', '@', '|', '\t', '\r', '\n', '\uff1d', '\uff5c', ' ', 'a')

describe('The guard against formulas', () => {
  it.each([
    '=1',
    '+1',
    '-1',
    '@a',
    '|calc',
    '\t=1',
    '\r=1',
    '\n=1',
    '\uff1d1',
    '\uff0d1',
    '\uff5ccalc',
    "'=1",
    "'|a",
    '\n\n=1',
  ])('puts an apostrophe before %j', (text) => {
    expect(guardFormulas(text)).toMatch(/^'/)
  })

  it.each([
    ['a\n=1\r\n@b\r+c\n\uff20d', "a\n'=1\r\n'@b\r'+c\n'\uff20d"],
    ['\n=1', "'\n'=1"],
    ['Run:\n-a always,exit\n\tls', 'Run:\n-a always,exit\n\tls'],
    ['a=1', 'a=1'],
    ['grep a\n| sort', 'grep a\n| sort'],
    ['', ''],
  ])('turns %j into %j', (text, guarded) => {
    expect(guardFormulas(text)).toBe(guarded)
  })

  it('is removed without a trace', () => {
    fc.assert(
      fc.property(fc.array(pieces), (list) => {
        const text = list.join('')
        expect(unguardFormulas(guardFormulas(text))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })
})
