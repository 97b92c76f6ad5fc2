import { describe, expect, it } from 'vitest'
import { choicesOf, type ComparedRelease } from '../../../src/web/application/catalogue/compare/choices.ts'
import { historyOf } from '../../../src/web/application/catalogue/rule/history.ts'
import {
  listChanges,
  matchingChanges,
  nameOfField,
  shownChanges,
  type ChangedRule,
  type Comparison,
} from '../../../src/web/application/parts/compare/changes.ts'
import { piecesOf, shortenedPieces } from '../../../src/web/application/parts/compare/paragraphs.ts'
import { differencesOf, shortenParts } from '../../../src/web/application/parts/compare/words.ts'

const named = (rule_id: string) => ({ rule_id, version: null, title: `Title of ${rule_id}`, severity: 'medium' })

function change(status: ChangedRule['status'], before: string | null, after: string | null): ChangedRule {
  return {
    status,
    matched_by: null,
    before: before === null ? null : named(before),
    after: after === null ? null : named(after),
    changes: status === 'changed' ? [{ field: 'fixtext', before: 'old', after: 'new' }] : [],
  }
}

const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 }

function comparison(to: number, rules: readonly ChangedRule[]): [number, Comparison] {
  return [to, { counts, rules }]
}

describe('Differences of two texts', () => {
  it('are removed words and new words', () => {
    expect(differencesOf('shut the lid', 'shut the <b>tap</b>')).toEqual([
      { kind: 'same', text: 'shut the ' },
      { kind: 'removed', text: 'lid' },
      { kind: 'added', text: '<b>tap</b>' },
    ])
    expect(differencesOf('is a lid here', 'is the tap here')).toEqual([
      { kind: 'same', text: 'is ' },
      { kind: 'removed', text: 'a lid' },
      { kind: 'added', text: 'the tap' },
      { kind: 'same', text: ' here' },
    ])
    expect(differencesOf('', 'new')).toEqual([{ kind: 'added', text: 'new' }])
    expect(differencesOf('', '')).toEqual([])
  })

  it('are computed in time for long texts with few common words', () => {
    const words = (seed: number): string =>
      Array.from({ length: 20_000 }, (_none, index) => ((index * seed) % 7919).toString(36)).join(' ')
    const before = performance.now()
    const parts = differencesOf(words(31), words(57))
    expect(performance.now() - before).toBeLessThan(1000)
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added'])
  })

  it('leave out most of the common text, cut between words', () => {
    const long = 'word '.repeat(200)
    const { parts, isCut } = shortenParts(differencesOf(`${long}a ${long}`, `${long}b ${long}`))
    expect(isCut).toBe(true)
    expect(parts.map(({ text }) => text.length < 200)).toEqual([true, true, true, true])
    expect(parts[0]?.text).toMatch(/^… word .*word $/)
    expect(parts.at(-1)?.text).toMatch(/^ word .*word …$/)
    expect(shortenParts(differencesOf('a b', 'a c')).isCut).toBe(false)
  })
})

describe('Differences of two texts of a rule', () => {
  const CHECK = 'Look at the release with the following command:'
  const same = (text: string) => ({ kind: 'same', parts: [{ kind: 'same', text }] })
  const removed = (text: string) => ({ kind: 'removed', parts: [{ kind: 'removed', text }] })
  const added = (text: string) => ({ kind: 'added', parts: [{ kind: 'added', text }] })

  it('are words of prose, and lines of commands', () => {
    const pieces = piecesOf(
      `${CHECK}\n\n$ cat /release\nTea 9.2`,
      `${CHECK.replace('Look', 'See')}\n\n$ cat /release\nTea 9.6`,
    )
    expect(pieces).toEqual([
      {
        isCommand: false,
        lines: [
          {
            kind: 'changed',
            parts: [
              { kind: 'removed', text: 'Look' },
              { kind: 'added', text: 'See' },
              { kind: 'same', text: ' at the release with the following command:' },
            ],
          },
        ],
      },
      { isCommand: true, lines: [same('$ cat /release'), removed('Tea 9.2'), added('Tea 9.6')] },
    ])
  })

  it('are whole paragraphs if less than half of the words are common', () => {
    const [piece, ...others] = piecesOf('Support is sold for a fee.', 'It ends on 31 May 2027.')
    expect(others).toEqual([])
    expect(piece).toEqual({
      isCommand: false,
      lines: [removed('Support is sold for a fee.'), added('It ends on 31 May 2027.')],
    })
    expect(piecesOf('Shut the lid.', 'Shut the lid.\n\n$ ls')).toEqual([
      { isCommand: false, lines: [same('Shut the lid.')] },
      { isCommand: true, lines: [added('$ ls')] },
    ])
    expect(piecesOf('', 'New')).toEqual([{ isCommand: false, lines: [added('New')] }])
  })

  it('ignore white space', () => {
    const [piece] = piecesOf('1. Open it \n  2. Shut it \n3. Wait', '1. Open it\n2. Shut it\n3. Wait here')
    expect(piece).toEqual({
      isCommand: false,
      lines: [
        {
          kind: 'changed',
          parts: [
            { kind: 'same', text: '1. Open it\n2. Shut it\n3. Wait' },
            { kind: 'added', text: ' here' },
          ],
        },
      ],
    })
  })

  it('have short common paragraphs around them, and count the others', () => {
    const text = (last: string): string =>
      ['One.', 'Two.', 'x '.repeat(200), `Shut the ${last} well.`, 'Five.', 'Six.'].join('\n\n')
    const whole = piecesOf(text('lid'), text('tap'))
    const { pieces, isCut } = shortenedPieces(whole)
    expect(whole).toHaveLength(6)
    expect(isCut).toBe(true)
    expect(pieces.map((piece) => ('unchanged' in piece ? piece.unchanged : piece.lines[0]?.kind))).toEqual([
      3,
      'changed',
      'same',
      1,
    ])
    expect(shortenedPieces(piecesOf('a lid', 'a tap')).isCut).toBe(false)
  })

  it('are computed in time for many different paragraphs', () => {
    const text = (seed: number): string =>
      Array.from({ length: 5000 }, (_none, index) => `p${index * seed} q${index * seed}`).join('\n\n')
    const before = performance.now()
    const pieces = piecesOf(text(7), text(11))
    expect(performance.now() - before).toBeLessThan(2000)
    expect(pieces.length).toBeGreaterThan(5000)
  })
})

describe('Changed rules', () => {
  const rules = [change('changed', 'one', 'one'), change('unchanged', 'two', 'two')]

  it('are filtered by kind of change and by words, also of changed text', () => {
    const found = (status: string, text: string): readonly ChangedRule[] => matchingChanges(rules, { status, text })
    expect(found('', '')).toEqual([rules[0]])
    expect(found('unchanged', '')).toEqual([rules[1]])
    expect(found('', 'NEW fix')).toEqual([rules[0]])
    expect(found('', 'tea')).toEqual([])
  })

  it('are listed by kind and name, with the fields that changed', () => {
    const changes = [
      change('changed', 'b', 'b'),
      change('changed', 'a', 'a'),
      change('removed', 'c', null),
      change('added', null, 'd'),
    ]
    expect(listChanges(changes, true).map(({ status, name, fields }) => [status, name, fields])).toEqual([
      ['added', 'd', ''],
      ['removed', 'c', ''],
      ['changed', 'a', 'fix'],
      ['changed', 'b', 'fix'],
    ])
  })

  it('have the order of the rule, severities as categories, and technical properties separately', () => {
    const changes = [
      { field: 'rule_weight', before: '10.0', after: '9.0' },
      { field: 'ident', before: 'CCI-000001', after: 'CCI-000002' },
      { field: 'check_content', before: 'a', after: null },
      { field: 'rule_severity', before: 'medium', after: 'high' },
    ]
    const { main, technical } = shownChanges({ ...change('changed', 'SV-1r1_rule', 'SV-1r2_rule'), changes })
    expect(main).toEqual([
      { name: 'Severity', before: 'CAT II (medium)', after: 'CAT I (high)' },
      { name: 'Check', before: 'a', after: '' },
      { name: 'CCIs', before: 'CCI-000001', after: 'CCI-000002' },
    ])
    expect(technical).toEqual([
      { name: 'Rule', before: 'SV-1r1_rule', after: 'SV-1r2_rule' },
      { name: 'Weight', before: '10.0', after: '9.0' },
    ])
  })

  it('have fields with names that people use', () => {
    expect(nameOfField('vuln_discussion')).toBe('Discussion')
    expect(nameOfField('third_party_tools')).toBe('Third-party tools')
  })
})

describe('Releases to compare with', () => {
  const release = (benchmarkId: string, version: string, id: number | null): ComparedRelease => {
    const title = `${benchmarkId.replaceAll('_', ' ')} Security Technical Implementation Guide`
    return { benchmarkId, title, version, date: null, id }
  }
  const line = [release('Tea_Pot_9', 'V2R1', 3), release('Tea_Pot_9', 'V1R2', 2), release('Tea_Pot_9', 'V1R1', 1)]
  const [newest, middle, oldest] = line
  const others = [release('Tea_Pot_8', 'V1R1', 4), release('Coffee_Urn_9', 'V1R1', 5)]
  const [earlier, unrelated] = others
  if (!newest || !middle || !oldest || !earlier || !unrelated) throw new Error('There are no releases')
  const asked = { kind: 'stig', before: middle, after: newest, line, others, isCopy: false } as const

  it('are those of the product, and of products that differ only in a number', () => {
    const { path, before, after } = choicesOf(asked)
    expect(path).toBe('/benchmarks/Tea_Pot_9/V1R2/changes/V2R1')
    expect(before).toEqual([
      {
        name: 'Tea Pot 9 STIG',
        choices: [
          { path: '/benchmarks/Tea_Pot_9/V1R2/changes/V2R1', name: 'V1R2' },
          { path: '/benchmarks/Tea_Pot_9/V1R1/changes/V2R1', name: 'V1R1' },
        ],
      },
      {
        name: 'Other versions of the product',
        choices: [{ path: '/stigs/3/compare/4', name: 'Tea Pot 8 STIG V1R1' }],
      },
    ])
    expect(after.map(({ name }) => name)).toEqual(['V2R1', 'V1R1'])
  })

  it('include the release that the address names', () => {
    const { path, before } = choicesOf({ ...asked, before: unrelated })
    expect(path).toBe('/stigs/3/compare/5')
    expect(before.at(-1)).toEqual({
      name: 'Another product',
      choices: [{ path: '/stigs/3/compare/5', name: 'Coffee Urn 9 STIG V1R1' }],
    })
  })

  it('are by number if a renamed product has a version twice', () => {
    const former = release('Tea_Jug_9', 'V1R1', 6)
    const { path } = choicesOf({ ...asked, before: former, line: [...line, former] })
    expect(path).toBe('/stigs/3/compare/6')
  })

  it('are the earlier ones in a published copy', () => {
    const { before, after } = choicesOf({ ...asked, before: oldest, after: middle, isCopy: true })
    expect(before.flatMap(({ choices }) => choices.map(({ name }) => name))).toEqual(['V1R1'])
    expect(after.map(({ path }) => path)).toEqual([
      '/benchmarks/Tea_Pot_9/V1R2/changes/V2R1',
      '/benchmarks/Tea_Pot_9/V1R1/changes/V1R2',
    ])
  })
})

describe('The history of a rule', () => {
  const releases = [1, 2, 3, 4].map((id) => ({ id, benchmarkId: 'Tea', version: `V1R${id}` }))
  const comparisons = new Map([
    comparison(2, [change('added', null, 'b')]),
    comparison(3, [change('changed', 'b', 'c'), change('unchanged', 'x', 'x')]),
    comparison(4, [change('removed', 'c', null)]),
  ])

  it('follows it by its ids to where it was added and where it was removed', () => {
    const steps = historyOf({
      ruleId: 'c',
      release: { id: 3, benchmarkId: 'Tea', version: 'V1R3' },
      releases,
      comparisons,
    })
    expect(steps.map(({ release, status, ruleId }) => [release.id, status, ruleId])).toEqual([
      [4, 'removed', null],
      [3, 'changed', 'c'],
      [2, 'added', 'b'],
    ])
  })

  it('begins with the oldest release that is compared', () => {
    const only = historyOf({
      ruleId: 'z',
      release: { id: 1, benchmarkId: 'Tea', version: 'V1R1' },
      releases: releases.slice(0, 1),
      comparisons: new Map(),
    })
    expect(only.map(({ release, status }) => [release.id, status])).toEqual([[1, 'first']])
  })
})
