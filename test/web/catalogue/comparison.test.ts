import { describe, expect, it } from 'vitest'
import { historyOf } from '../../../src/web/application/catalogue/rule/history.ts'
import {
  matchingChanges,
  nameOfField,
  type ChangedRule,
  type Comparison,
} from '../../../src/web/application/parts/compare/changes.ts'
import { differencesOf, shortened } from '../../../src/web/application/parts/compare/words.ts'

const named = (rule_id: string) => ({ rule_id, version: null, title: `Title of ${rule_id}` })

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
  it('are words that are gone and words that are new', () => {
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

  it('come in time, however long the texts are and however little they share', () => {
    const words = (seed: number): string =>
      Array.from({ length: 20_000 }, (_none, at) => ((at * seed) % 7919).toString(36)).join(' ')
    const before = performance.now()
    const parts = differencesOf(words(31), words(57))
    expect(performance.now() - before).toBeLessThan(1000)
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added'])
  })

  it('stand without most of what is in both, cut between words', () => {
    const long = 'word '.repeat(200)
    const { parts, isCut } = shortened(differencesOf(`${long}a ${long}`, `${long}b ${long}`))
    expect(isCut).toBe(true)
    expect(parts.map(({ text }) => text.length < 200)).toEqual([true, true, true, true])
    expect(parts[0]?.text).toMatch(/^… word .*word $/)
    expect(parts.at(-1)?.text).toMatch(/^ word .*word …$/)
    expect(shortened(differencesOf('a b', 'a c')).isCut).toBe(false)
  })
})

describe('Changed rules', () => {
  const rules = [change('changed', 'one', 'one'), change('unchanged', 'two', 'two')]

  it('are found by what became of them and by words, also of what changed', () => {
    const found = (status: string, text: string): readonly ChangedRule[] => matchingChanges(rules, { status, text })
    expect(found('', '')).toEqual([rules[0]])
    expect(found('unchanged', '')).toEqual([rules[1]])
    expect(found('', 'NEW fix')).toEqual([rules[0]])
    expect(found('', 'tea')).toEqual([])
  })

  it('have fields with names that people use', () => {
    expect(nameOfField('vuln_discussion')).toBe('Discussion')
    expect(nameOfField('third_party_tools')).toBe('Third-party tools')
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
