import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  LineCounter,
  RubyFault,
} from '../../../../../../../src/guidance/interchange/merges/reading/inspec/ruby/fault.ts'
import { tokensOf } from '../../../../../../../src/guidance/interchange/merges/reading/inspec/ruby/lexer.ts'
import { ruby } from '../../../../../../support/programs.ts'
import { spreadOf } from '../../../../../../support/runs.ts'

/** Code that Ruby accepts, and its tokens. */
const CODE: readonly (readonly [name: string, code: string, tokens: string])[] = [
  // `/` and `%`
  ['a pattern after a method and a blank', 'x /2/', 'word x, string "2"'],
  ['a division before a blank', 'x / 2', 'word x, sign /, value 2'],
  ['a division without blanks', 'x/2', 'word x, sign /, value 2'],
  ['a division that assigns', 'x /= 2', 'word x, sign /=, value 2'],
  ['a pattern after an operator', 'x =~ /2/', 'word x, sign =~, string "2"'],
  ['a pattern after a bracket', 'p(/a/mx)', 'word p, sign (, string "a", sign )'],
  ['a pattern with letters before a modifier', '%r{a/}i if b', 'string "a/", word if, word b'],
  ['a pattern after a name that follows a dot', 'x.y /2/', 'word x, sign ., value y, string "2"'],
  ['a pattern after `return`', 'return /a/', 'word return, string "a"'],
  ['a pattern after `super`', 'super /a/', 'word super, string "a"'],
  ['a pattern after a modifier', 'x if /a/', 'word x, word if, string "a"'],
  ['a division of a number', '1.5e3 /2', 'value 1.5e3, sign /, value 2'],
  ['a division of a hexadecimal number', '0x1f /2', 'value 0x1f, sign /, value 2'],
  ['a division of a variable with a sign', '@@a /2', 'value @@a, sign /, value 2'],
  ['a division of `self`', 'self /2', 'word self, sign /, value 2'],
  ['a division of a string', "'a' /2", 'string "a", sign /, value 2'],
  ['a division of an element', 'a[1] /2', 'word a, sign [, value 1, sign ], sign /, value 2'],
  ['a division of an assigned variable', 'a = 1; a /2', 'word a, sign =, value 1, sign ;, word a, sign /, value 2'],
  ['a pattern after a comparison', 'a == 1; a /2/', 'word a, sign ==, value 1, sign ;, word a, string "2"'],
  [
    'a division of a variable that is assigned by an operator',
    'a ||= 1; a /2',
    'word a, sign ||=, value 1, sign ;, word a, sign /, value 2',
  ],
  [
    'a division of the parameter of a block',
    'x { |a| a /2 }',
    'word x, sign {, sign |, word a, sign |, word a, sign /, value 2, sign }',
  ],
  [
    'a division of the named parameter of a block',
    'x do |a: 1| a /2 end',
    'word x, word do, sign |, label a:, value 1, sign |, word a, sign /, value 2, word end',
  ],
  [
    'a pattern after an operator that looks like the beginning of parameters',
    'x { a | b; c /2/ }',
    'word x, sign {, word a, sign |, word b, sign ;, word c, string "2", sign }',
  ],
  [
    'a division of the parameter of a method',
    'def self.f(a) a /2 end',
    'word def, value self, sign ., value f, sign (, word a, sign ), word a, sign /, value 2, word end',
  ],
  ['a pattern after an argument', 'f(a); a /2/', 'word f, sign (, word a, sign ), sign ;, word a, string "2"'],
  [
    'a pattern after an argument in a method',
    'def f; g(a); a /2/ end',
    'word def, value f, sign ;, word g, sign (, word a, sign ), sign ;, word a, string "2", word end',
  ],
  [
    'a division of the second parameter of a block',
    'x { |a, b| b /2 }',
    'word x, sign {, sign |, word a, sign ,, word b, sign |, word b, sign /, value 2, sign }',
  ],
  ['a remainder', 'a % (b)', 'word a, sign %, sign (, word b, sign )'],
  ['a string after a method', 'a %(b)', 'word a, string "b"'],

  // Strings and symbols
  ['one character', 'f ?b', 'word f, string null'],
  ['a condition in one line', 'a ? b : c', 'word a, sign ?, word b, sign :, word c'],
  ['one character in a condition', 'a ? ?b : c', 'word a, sign ?, string null, sign :, word c'],
  ['a condition with a list', 'x ? 1 :[]', 'word x, sign ?, value 1, sign :, sign [, sign ]'],
  ['a condition that looks like a label', 'x ? a: b', 'word x, sign ?, word a, sign :, word b'],
  ['a string as a label', '{"a":1}', 'sign {, string "a", sign :, value 1, sign }'],
  ['a symbol in quotes', 'x :"a b", :\'c\'', 'word x, string "a b", sign ,, string "c"'],
  ['a symbol with code', ':"a#{1}"', 'string null'],
  ['an operator as a symbol', 'x :+, :[]=', 'word x, value :+, sign ,, value :[]='],
  ['a symbol that ends with a sign', 'x :a=, :b?', 'word x, value :a=, sign ,, value :b?'],
  ['a constant in a module', 'A::B', 'word A, sign ::, value B'],
  ['a label', 'f if: 1', 'word f, label if:, value 1'],
  ['code in code', '"#{"#{ {} }"}"', 'string null'],
  ['code with brackets and a string', '"#{ a {} ; "b" }" + c', 'string null, sign +, word c'],
  ['a modifier right after a string', "'a'if b", 'string "a", word if, word b'],

  // Names
  ['keywords after a dot', 'a.end&.do', 'word a, sign ., value end, sign &., value do'],
  ['an operator after a dot', 'a.+ b', 'word a, sign ., value +, word b'],
  ['the name of an operator', 'def +(a) end', 'word def, value +, sign (, word a, sign ), word end'],
  ['other names of a method', 'alias if unless', 'word alias, value if, value unless'],
  ['other names of an operator', 'alias + -', 'word alias, value +, value -'],
  [
    'other names that are symbols',
    'alias :a :b\nx.y do end',
    'word alias, value :a, value :b, end, word x, sign ., value y, word do, word end',
  ],
  ['a setter', 'def a=(b) end', 'word def, value a, sign (, word b, sign ), word end'],
  ['a method without an end', 'def a = 1', 'word def, value a, sign =, value 1'],
  [
    'a method of an object and without an end',
    'def self.a = 1',
    'word def, value self, sign ., value a, sign =, value 1',
  ],
  [
    'a method with parameters and without an end',
    'def self.a(b) = b',
    'word def, value self, sign ., value a, sign (, word b, sign ), sign =, word b',
  ],
  ['a word with a question mark', 'a? b', 'word a?, word b'],
  ['a comparison without blanks', 'a!=b', 'word a, sign !=, word b'],
  ['a word with other letters', 'é = 1', 'word é, sign =, value 1'],

  // Heredocs
  ['a heredoc in the first line', '<<A\n  A\nA', 'string null, end'],
  ['a heredoc up to an empty line', '<<""\nend\n\nb', 'string null, end, word b'],
  ['two heredocs', 'x <<~A, <<-B\n 1\n A\n2\n B\ny', 'word x, string null, sign ,, string null, end, word y'],
  ['a heredoc after a method called `class`', 'x.class <<A\nend\nA', 'word x, sign ., value class, string null, end'],
  ['a heredoc in code', '"#{<<A}"\nend\nA\nb', 'string null, end, word b'],
  ['the class of an object', 'class <<A\nend', 'word class, sign <<, word A, end, word end'],
  ['an operator after a list', '[1] <<A', 'sign [, value 1, sign ], sign <<, word A'],

  // Blocks
  ['a modifier', 'a if b', 'word a, word if, word b'],
  ['a modifier after `return`', 'return if b', 'word return, word if, word b'],
  ['a loop at the end of a block', 'begin a end while b', 'word begin, word a, word end, word while, word b'],
  ['the `do` of a loop', 'for a in b do end', 'word for, word a, word in, word b, word do, word end'],
  ['the `do` of a loop after a sign', 'while a == b do end', 'word while, word a, sign ==, word b, word do, word end'],
  [
    'a `do` after that of a loop',
    'while a do b do end end',
    'word while, word a, word do, word b, word do, word end, word end',
  ],
  [
    'a `do` after the first line of a loop',
    'while a; b do end end',
    'word while, word a, sign ;, word b, word do, word end, word end',
  ],

  // Lines
  ['empty lines', '\n\na\n\n\nb', 'word a, end, word b'],
  ['a statement after a semicolon', 'a ;\nb', 'word a, sign ;, end, word b'],
  ['a line that ends with a backslash', 'a = 1 \\\n + 2', 'word a, sign =, value 1, sign +, value 2'],
  ['a line that ends with an operator', 'a +\nb', 'word a, sign +, word b'],
  ['a line that ends with a word', 'a and\nb', 'word a, word and, word b'],
  ['a line that ends with a dot', 'a.\nb', 'word a, sign ., value b'],
  ['a line in brackets', '(a\nb)', 'sign (, word a, word b, sign )'],
  ['a line in square brackets', '[a\n]', 'sign [, word a, sign ]'],
  ['a line in a block', 'a {\nb }', 'word a, sign {, end, word b, sign }'],
  ['a line after parameters', 'a { |x|\nb }', 'word a, sign {, sign |, word x, sign |, end, word b, sign }'],
  ['a dot in a later line', 'a\n # c\n # d\n &.b', 'word a, sign &., value b'],
  ['a range in a later line', 'a\n..b', 'word a, end, sign .., word b'],
  ['a comment at the end', 'a\n # c', 'word a, end'],
  ['a comment behind code', 'a # b\nc', 'word a, end, word c'],
  ['long comments', '=begin\nx\n=end y\n=begin\n=end\nz', 'word z'],
  ['a long comment at the end', 'a\n=begin\n=end', 'word a, end'],
  ['data', 'a\n__END__\nb do', 'word a, end'],
  ['only data', '__END__\nb do', ''],
  ['a word like the one before data', 'a\n__END__x', 'word a, end, word __END__x'],
  ['a word before data that is not in a line of its own', 'a __END__', 'word a, word __END__'],
]

function described(code: string): string {
  const tokens = tokensOf(code).map(({ kind, text, value }) => {
    if (kind === 'end of statement') return 'end'
    return kind === 'string' ? `string ${JSON.stringify(value)}` : `${kind} ${text}`
  })
  return tokens.join(', ')
}

describe('The tokens of Ruby', () => {
  it.each(CODE)('include %s', (_name, code, tokens) => {
    expect(described(code)).toBe(tokens)
  })

  it('have positions and depths', () => {
    const tokens = tokensOf('a(<<B) { c }\nB\n/d/i')
    expect(tokens.map(({ start, end, depth }) => [start, end, depth])).toEqual([
      [0, 1, 0],
      [1, 2, 0],
      [2, 5, 1],
      [5, 6, 0],
      [7, 8, 0],
      [9, 10, 1],
      [11, 12, 0],
      [12, 15, 0],
      [15, 18, 0],
    ])
  })

  it.each([
    ['This ")" closes nothing', ')', 0],
    ['This "]" closes nothing', 'a { b ]', 6],
    ['This "end" closes nothing', 'if a; end; end', 11],
    ['What begins here has no ")"', 'a (', 2],
    ['What begins here has no "end"', 'a; if b', 3],
    ['What begins here has no "end"', 'def a == b', 0],
    ['What begins here has no "end"', 'a do\n__END__\nend', 2],
    ['The text that begins here with " has no end', 'a "b', 2],
    ['The text that begins here with ( has no end', '%q(a(b)', 2],
    ["The text that begins here with ' has no end", "'a\\'", 0],
    ['The code in a text has no "}"', 'a "#{b', 5],
    ['The code in a text has no "}"', '"#{a\n__END__\n}"', 3],
    ['The comment has no =end', 'a\n=begin\nb', 2],
    ['The text that begins here has no line "B" at its end', 'a <<B', 2],
    ['The text that begins here has no line "B" at its end', 'a <<B\n B\nBB', 2],
    ['Blocks and brackets are nested too deeply', '['.repeat(501), 500],
    ['Blocks and brackets are nested too deeply', 'do '.repeat(501), 1500],
    ['Texts with code are nested too deeply', '"#{'.repeat(21), 63],
  ])('are refused with: %s', (message, code, position) => {
    expect(() => tokensOf(code)).toThrow(expect.objectContaining({ constructor: RubyFault, message, position }))
  })

  it('may be nested to the limits', () => {
    expect(tokensOf('['.repeat(500) + ']'.repeat(500))).toHaveLength(1000)
    expect(described(`${'"#{'.repeat(20)}${'}"'.repeat(20)}`)).toBe('string null')
  })
})

/** Ruby's own lexer: where code has `do` and `end`, outside of texts. */
const JUDGE = `
require 'json'
require 'ripper'
$VERBOSE = nil
puts JSON.generate(JSON.parse(STDIN.read).filter_map { |name, source|
  next if !source.valid_encoding? || Ripper.sexp(source).nil?
  inner = 0
  before = nil
  found = Ripper.lex(source).filter_map { |(line, _), type, text, _|
    inner += 1 if type == :on_embexpr_beg
    inner -= 1 if type == :on_embexpr_end
    is_symbol = before == :on_symbeg
    before = type
    "#{text} #{line}" if type == :on_kw && %w[do end].include?(text) && inner == 0 && !is_symbol
  }
  [name, found]
})
`

const judged = z.array(z.tuple([z.string(), z.array(z.string())]))

/** The blocks that Ruby finds in each source by name, without sources that Ruby refuses. */
function blocksByRuby(sources: readonly (readonly [name: string, source: string])[]) {
  const options = { input: JSON.stringify(sources), encoding: 'utf8', maxBuffer: 1e8 } as const
  return judged.parse(JSON.parse(execFileSync('ruby', ['-e', JUDGE], options)))
}

function blocksOf(source: string): string[] {
  const blocks = tokensOf(source).filter(({ kind, text }) => kind === 'word' && (text === 'do' || text === 'end'))
  const lines = new LineCounter(source)
  return blocks.map(({ text, start }) => `${text} ${lines.lineAt(start)}`)
}

describe.runIf(ruby.isInstalled)('Blocks of Ruby', () => {
  it('are those that Ruby finds in its own libraries', () => {
    const folder = execFileSync('ruby', ['-e', "puts RbConfig::CONFIG['rubylibdir']"], { encoding: 'utf8' }).trim()
    const files = execFileSync('find', [folder, '-name', '*.rb'], { encoding: 'utf8' }).trim().split('\n').sort()
    const sources = new Map(spreadOf(files, 100).map((file) => [file, readFileSync(file, 'utf8')]))
    const expected = blocksByRuby([...sources])
    expect(expected.length).toBeGreaterThan(50)
    for (const [file, blocks] of expected) expect([file, blocksOf(sources.get(file) ?? '')]).toEqual([file, blocks])
  })

  it('are those that Ruby finds in the code above', () => {
    const found = CODE.map(([name, code]) => [name, blocksOf(code)])
    expect(found).toEqual(blocksByRuby(CODE.map(([name, code]) => [name, code])))
  })
})
