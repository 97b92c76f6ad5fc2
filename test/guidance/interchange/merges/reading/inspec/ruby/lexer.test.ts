import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { LineCounter } from '../../../../../../../src/guidance/interchange/merges/reading/inspec/ruby/fault.ts'
import { tokensOf } from '../../../../../../../src/guidance/interchange/merges/reading/inspec/ruby/lexer.ts'
import { ruby } from '../../../../../../support/programs.ts'
import { spreadOf } from '../../../../../../support/runs.ts'

/** Ruby's own lexer: where its libraries have `do` and `end`, outside of texts. */
const JUDGE = `
require 'json'
require 'ripper'
$VERBOSE = nil
puts JSON.generate(ARGF.each_line(chomp: true).filter_map { |file|
  source = File.binread(file).force_encoding('UTF-8')
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
  [file, found]
})
`

const judged = z.array(z.tuple([z.string(), z.array(z.string())]))

describe.runIf(ruby.isInstalled)('Blocks of Ruby', () => {
  it('are those that Ruby finds in its own libraries', () => {
    const folder = execFileSync('ruby', ['-e', "puts RbConfig::CONFIG['rubylibdir']"], { encoding: 'utf8' }).trim()
    const files = execFileSync('find', [folder, '-name', '*.rb'], { encoding: 'utf8' }).trim().split('\n').sort()
    const some = spreadOf(files, 100)
    const options = { input: some.join('\n'), encoding: 'utf8', maxBuffer: 1e8 } as const
    const expected = judged.parse(JSON.parse(execFileSync('ruby', ['-e', JUDGE], options)))
    expect(expected.length).toBeGreaterThan(50)
    for (const [file, blocks] of expected) {
      const source = readFileSync(file, 'utf8')
      const found = tokensOf(source).filter(({ kind, text }) => kind === 'word' && (text === 'do' || text === 'end'))
      const lines = new LineCounter(source)
      expect([file, found.map(({ text, start }) => `${text} ${lines.lineAt(start)}`)]).toEqual([file, blocks])
    }
  })
})
