import { describe, expect, it } from 'vitest'
import { controlsOf } from '../../../../../../src/guidance/interchange/merges/reading/inspec/controls.ts'

function bodyOf(code: string): string | null {
  const { controls } = controlsOf(`control 'a' do\n  title 'b'\n${code}\nend\n\ncontrol 'next' do\nend\n`)
  expect(controls.map(({ name }) => name)).toEqual(['a', 'next'])
  return controls[0]?.body ?? null
}

describe('The code of a control', () => {
  it.each([
    ['blocks', '  [1].each do |x|\n    if x then y end\n    while z do w end\n  end'],
    ['modifiers', '  return x if y unless z\n  a = 1 while b\n  x = if y\n    1\n  end'],
    ['words that are no keywords', '  a.end.do\n  {if: 1, end: 2}\n  x = :end\n  @end = $do\n  describe(x).class'],
    ['texts', '  a = "end" + "do #{[1].map do |x| "}" end}" + %q{do {end} do} + %w[if do]'],
    ['texts without an end', "  a = 'it''s' \"\\\"end\", %q(\\)), `do`"],
    ['heredocs', '  a(<<~A, <<-"B C") do\n    end\n    A\n  do #{\n  B C\n    x\n  end'],
    ['patterns', '  a if /end[\'"]/ =~ b\n  split /do"/, 2\n  c = d / 2 / e\n  f % [1]\n  g = ?\' + ?\\"'],
    ['shifts', '  list << A\n  class << self\n  end'],
    ['comments', "  # don't\n  a # end\n=begin\nend '\n=end\n  b"],
    [
      'methods',
      '  def a = 1\n  def b(c = 2) = c\n  def d=(e)\n    e\n  end\n  def self.end; end\n  def ==(f) true end',
    ],
    ['continued lines', '  a\n    .b do\n    c\n  end\n  d ||\n    if e\n      f\n    end'],
    ['data after it', '  a ? b : c\n  x = y ?1:2'],
  ])('has %s', (_name, code) => {
    expect(bodyOf(code)).toBe(code.trimEnd())
  })

  it('is without the metadata that exports write, and with the other', () => {
    const metadata = `  title "A"
  desc 'Text
  end'
  desc 'check', <<~CHECK
    end
  CHECK
  desc  "fix", "it"
  desc 'caveat', 'kept'
  impact(0.5)
  tag gtitle: "SRG-A-000001", 'gid': 'V-1'
  tag "rid" => 'SV-1r2_rule' # the rule
  tag cci: %w[CCI-000366]
  tag cci: ['CCI-000366',
            'CCI-000015']; tag nist: ['CM-6 b']
  tag 'host'
  ref 'kept'

  impact 0.0 if x
  tag severity: 'kept, because it is code here'`
    const { controls } = controlsOf(`control 'a' do\n${metadata}\nend`)
    expect(controls[0]?.body).toBe(`  desc 'caveat', 'kept'
  tag 'host'
  ref 'kept'

  impact 0.0 if x
  tag severity: 'kept, because it is code here'`)
    expect(Object.fromEntries(controls[0]?.tags ?? [])).toMatchObject({
      gtitle: ['SRG-A-000001'],
      gid: ['V-1'],
      rid: ['SV-1r2_rule'],
    })
  })

  it('is nothing where there are only comments', () => {
    expect(bodyOf("  impact 0.3\n\n  # nothing yet\n  desc 'x'")).toBe(null)
  })
})

describe('A file', () => {
  it('has controls in other profiles, and none in texts, comments and other words', () => {
    const source = `# control 'a' do
x = "control 'b' do"
control = 1
x.control 'c' do
end
include_controls 'base' do
  control 'd' do
    impact 0.0
  end
  control("e") { x }
  skip_control 'f'
end
control "g-#{1}" do
end
__END__
control 'h' do
`
    const { controls, unnamed } = controlsOf(source)
    expect(controls.map(({ name, line, body }) => [name, line, body])).toEqual([
      ['d', 7, null],
      ['e', 10, ' x'],
    ])
    expect(unnamed).toEqual([13])
  })
})
