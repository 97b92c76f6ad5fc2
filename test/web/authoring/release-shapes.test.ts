import { describe, expect, it } from 'vitest'
import { countWaiting, tasksOf } from '../../../src/web/application/home/tasks.ts'
import { fieldsAfter, valuesOf } from '../../../src/web/application/projects/component/component-fields.ts'
import { findReleases } from '../../../src/web/application/projects/component/find-releases.ts'
import { fileNameIn, fileNameOf, exportsFor, pathOf } from '../../../src/web/application/release/exports/formats.ts'
import { groupItems, placeOf, sentenceOf } from '../../../src/web/application/release/readiness/groups.ts'
import { reasonAgainst } from '../../../src/web/application/release/rights.ts'
import { changesOf, fieldsOf } from '../../../src/web/application/release/settings/record.ts'

const item = (code: string, blocks: boolean, link = '/x') => ({
  code,
  blocks,
  message: code,
  link,
  rule: null,
  fields: [],
})

describe('Readiness', () => {
  it('is grouped, what prevents a release first', () => {
    const groups = groupItems([item('a', false), item('b', true), item('a', false)])
    expect(groups.map(({ code, items }) => [code, items.length])).toEqual([
      ['b', 1],
      ['a', 2],
    ])
  })

  it('counts its rules in the words of each obstacle', () => {
    const rule = { id: 7, displayed_name: 'PNGN-01-000007' }
    const sentences = (code: string, count: number) =>
      groupItems(Array.from({ length: count }, () => ({ ...item(code, true), rule }))).map(sentenceOf)
    expect(sentences('rule_unlocked', 1)).toEqual(['1 rule is not locked'])
    expect(sentences('rule_unlocked', 2)).toEqual(['2 rules are not locked'])
    expect(sentences('check_missing', 2)).toEqual(['2 rules: check_missing'])
    expect(groupItems([item('version_missing', true)]).map(sentenceOf)).toEqual(['version_missing'])
  })

  it('links to the place of the remedy', () => {
    const rule = { id: 7, displayed_name: 'PNGN-01-000007' }
    expect(placeOf({ ...item('x', true), rule }, '3')).toEqual({
      path: '/components/3',
      query: { rule: 'PNGN-01-000007' },
    })
    expect(placeOf(item('comments_open', false), '3').path).toBe('/components/3/triage')
    expect(placeOf(item('newer_srg', false, '/api/srgs/2/diff?from=1'), '3')).toEqual({
      path: '/components/3/rebase',
      query: { srg: '2' },
    })
    expect(placeOf(item('version_missing', true), '3').path).toBe('/components/3/settings')
  })
})

describe('An export', () => {
  it('is offered if the API has it', () => {
    const names = exportsFor('srg', false).map(({ type }) => type)
    expect(names).not.toContain('csv')
    expect(names).not.toContain('disposition_csv')
    expect(exportsFor('stig', true).map(pathOf.bind(null, 4))).toContain('/components/4/export/xccdf?version=1.2')
  })

  it('has the file name of the answer', () => {
    expect(fileNameOf('attachment; filename="a.csv"', 'x')).toBe('a.csv')
    expect(fileNameOf('attachment; filename="a"; filename*=UTF-8\'\'%C3%A4.csv', 'x')).toBe('ä.csv')
    expect(fileNameOf('attachment; filename=a-b.csv', 'x')).toBe('a-b.csv')
    expect(fileNameOf(null, 'x')).toBe('x')
    expect(fileNameIn('working_copy', 'a.b-xccdf.xml')).toBe('a.b-xccdf-working-copy.xml')
    expect(fileNameIn(undefined, 'a.xml')).toBe('a.xml')
  })
})

describe('A change of a component', () => {
  const record = {
    name: 'A',
    prefix: 'AAAA-00',
    title: 'T',
    version: 1,
    release: null,
    description: null,
    admin_name: null,
    admin_email: null,
    advanced_fields: false,
    comment_phase: 'open' as const,
    closed_reason: null,
    comment_period_starts_at: '2026-01-01T00:00:00.000Z',
    comment_period_ends_at: null,
  }

  it('has only changed values', () => {
    const typed = { ...fieldsOf(record), release: '2', comments: 'adjudicating' as const }
    expect(changesOf(fieldsOf(record), fieldsOf(record))).toEqual({})
    expect(changesOf(fieldsOf(record), typed)).toEqual({
      release: 2,
      comment_phase: 'closed',
      closed_reason: 'adjudicating',
    })
  })

  it('is refused with a reason', () => {
    const how = { least: 'author', isSiteAdmin: false } as const
    const component = { effective_permissions: 'viewer', released: false } as const
    expect(reasonAgainst(component, how)).toContain('an author')
    expect(reasonAgainst({ ...component, effective_permissions: 'admin' }, how)).toBe(null)
    expect(reasonAgainst({ effective_permissions: 'admin', released: true }, how)).toContain('copy')
    const site = { ...how, isSiteAdmin: true }
    expect(reasonAgainst({ effective_permissions: 'admin', released: true }, site)).toBe(null)
  })
})

describe('A new component', () => {
  it('is the next release of its source', () => {
    const source = { name: 'A', prefix: 'P', title: 'T', description: null, version: 2, release: 3 }
    expect(valuesOf(fieldsAfter(source))).toMatchObject({ version: 2, release: 4 })
    expect(valuesOf({ ...fieldsAfter(source), release: ' ' })).toMatchObject({ release: null })
  })

  it('is made from SRGs that are found by words, the newest first of all', () => {
    const srg = (title: string, is_latest: boolean) => ({ title, srg_id: 'X', version: 'V1R1', is_latest })
    const srgs = [srg('Web server', true), srg('Web server', false)]
    expect(findReleases(srgs, { words: ['web'], isEvery: false }).total).toBe(1)
    expect(findReleases(srgs, { words: ['v1r1'], isEvery: true }).total).toBe(2)
    const many = Array.from({ length: 60 }, () => srg('Web', true))
    expect(findReleases(many, { words: [], isEvery: false })).toMatchObject({ total: 60 })
    expect(findReleases(many, { words: [], isEvery: false }).shown).toHaveLength(50)
  })
})

describe('Waiting work', () => {
  it('is listed by kind, each with its link', () => {
    const none = { pending_comments: 0, awaiting_adjudication: 0, changes_requested: 0, relocations: 0 }
    const waiting = {
      id: 4,
      name: 'A',
      version: 1,
      release: 1,
      comment_period_ends_at: null,
      project: { id: 1, name: 'P' },
    }
    const tasks = tasksOf([{ ...waiting, ...none, reviews: 2, clarifications: 1 }])
    expect(tasks.map(({ label, path, query }) => [label, path, query])).toEqual([
      ['1 question about a comment of yours', '/comments', { status: 'needs_clarification' }],
      ['2 rules to review', '/components/4', { review: 'requested' }],
    ])
    const decided = tasksOf([{ ...waiting, ...none, reviews: 0, clarifications: 0, awaiting_adjudication: 1 }])
    expect(decided[0]?.query).toEqual({ status: 'all', resolved: 'false' })
    const commented = { ...waiting, ...none, reviews: 0, clarifications: 0, pending_comments: 1 }
    const [toDecide] = tasksOf([{ ...commented, comment_period_ends_at: '2026-12-07T12:00:00Z' }])
    expect(toDecide?.note).toBe('The comment period ends on Dec 7, 2026')
    const components = [{ ...waiting, ...none, reviews: 2, clarifications: 1 }]
    expect(countWaiting({ components, requested_changes: ['x'], access_requests: ['y', 'z'] })).toBe(5)
  })
})
