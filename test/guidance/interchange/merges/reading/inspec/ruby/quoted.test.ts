import { describe, expect, it } from 'vitest'
import { tokensOf } from '../../../../../../../src/guidance/interchange/merges/reading/inspec/ruby/lexer.ts'

describe('The content of a string', () => {
  it.each([
    ["'a\\n\\'\\\\'", String.raw`a\n'\ `.trim()],
    [String.raw`"a\n\t\r\s\0\q\\\""`, 'a\n\t\r \0q\\"'],
    ['"a\\\nb"', 'ab'],
    ['`a`', 'a'],
    ['%(a)', 'a'],
    ['%[a[b]]', 'a[b]'],
    ['%<a<b>>', 'a<b>'],
    ['%{a}', 'a'],
    ['%!a!', 'a'],
    ['%Q|a\\t|', 'a\t'],
    ['%q(a\\)\\(\\n(b))', String.raw`a)(\n(b)`],
    ['%q(#{a})', '#{a}'],
    ['%w[a b]', 'a b'],
    ['%w[#{a}]', '#{a}'],
    ['%W[a#{b}]', null],
    ['%i(#{a})', '#{a}'],
    ['%I(#{a})', null],
    ['%s(#{a})', '#{a}'],
    ['%x(#{a})', null],
    ['%r(a#{b})', null],
    ['/a\\/b/', 'a/b'],
    ["'#{a}'", '#{a}'],
    [":'#{a}'", '#{a}'],
    ['"#{a}"', null],
    ['"#a"', '#a'],
    ['?a', null],
  ])('%j is %j', (code, value) => {
    expect(tokensOf(code)).toMatchObject([{ kind: 'string', start: 0, end: code.length, value }])
  })
})
