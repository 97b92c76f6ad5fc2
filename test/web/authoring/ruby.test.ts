import { describe, expect, it } from 'vitest'
import { linesOf, type Line } from '../../../src/web/application/editor/code/ruby.ts'

const CODE = `control 'SV-1' do # it's
  title "A #{b["c"]} \\"d\\"", 'e'
  desc <<~EOS
    it's "here" do
  EOS
  describe file('/etc/pot').end do
    its('content') { should match /it's "a"/ }
    its('mode') { should cmp 10 / 2 }
    names = %w(a (b)
      do) if x != "one
do" and :end
=begin
end's
=end
end`

describe('The code of a control', () => {
  it('is parsed by its syntax, across line ends', () => {
    expect(linesOf(CODE).map(shown)).toEqual([
      `[control] 'SV-1' [do] # it's`,
      String.raw`  [title] "A #{b["c"]} \"d\"", 'e'`,
      `  [desc] <<~EOS`,
      `"    it's "here" do`,
      `"  EOS`,
      `  [describe] file('/etc/pot').end [do]`,
      `    [its]('content') { [should] match /it's "a"/ }`,
      `    [its]('mode') { [should] cmp 10 / 2 }`,
      `    names = %w(a (b)`,
      `"      do) [if] x != "one`,
      `"do" [and] :end`,
      `#=begin`,
      `#end's`,
      `#=end`,
      `[end]`,
    ])
  })

  it('is complete for any text', () => {
    for (const code of [CODE, '', '\n', '"', "%w(a\n'", '\\', '"\\', '<<A <<B\nA\nB\nend', '%(', '/'])
      expect(textOf(linesOf(code))).toBe(code)
  })

  it('is parsed again only where it has changed, with the same result', () => {
    const before = linesOf(CODE)
    for (const [from, to] of [
      ['10 / 2', '10 / 3'],
      ['\n  desc', '\n\n  desc'],
      [`# it's`, `"`],
      ['  EOS\n', ''],
    ] as const) {
      const code = CODE.replace(from, to)
      const after = linesOf(code, before)
      expect(after).toEqual(linesOf(code))
      expect(textOf(after)).toBe(code)
    }
    const after = linesOf(CODE.replace('\n  desc', '\n\n  desc'), before)
    expect(after.filter((line) => !before.includes(line))).toHaveLength(1)
  })
})

/** Words of the language in brackets; in front of a line what it begins in, unless that is code. */
function shown({ within, pieces, text }: Line): string {
  const isComment = pieces.every(({ kind }) => kind === 'comment') && text !== ''
  const before = isComment ? '#' : within === '' ? '' : '"'
  return before + pieces.map((piece) => (piece.kind === 'word' ? `[${piece.text}]` : piece.text)).join('')
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ pieces }) => pieces.map(({ text }) => text).join('')).join('\n')
}
