import { describe, expect, it } from 'vitest'
import { filterOf, namesFor } from '../../../src/web/application/projects/archive/archive.ts'
import {
  choosableOf,
  matchingRequirements,
  selectionsOf,
  withRequirements,
} from '../../../src/web/application/projects/component/selection.ts'
import { earlierThan, shapeEntries } from '../../../src/web/application/projects/history/entries.ts'
import { recentLines } from '../../../src/web/application/projects/history/recent-lines.ts'
import { matchingProjects, readScope } from '../../../src/web/application/projects/list/project-summary.ts'
import { reasonToKeep } from '../../../src/web/application/projects/roles.ts'
import { sortProposals } from '../../../src/web/application/release/relocations/proposals.ts'

const project = (name: string, is_member: boolean) => ({
  name,
  is_member,
  description: 'About penguins',
  admin_name: 'Ada',
  access_request_id: null,
})

describe('The list of projects', () => {
  it('begins with one’s own, or with all if there are none', () => {
    expect(readScope('', [project('a', true)])).toBe('mine')
    expect(readScope('', [project('a', false)])).toBe('all')
    expect(readScope('others', [project('a', true)])).toBe('others')
    expect(readScope('nonsense', [])).toBe('all')
  })

  it('is filtered by all of the words', () => {
    const projects = [project('Web', true), project('OS', false)]
    const found = (shown: 'mine' | 'others' | 'all', ...words: string[]) =>
      matchingProjects(projects, { shown, words }).map(({ name }) => name)
    expect(found('all', 'ada', 'penguins')).toEqual(['Web', 'OS'])
    expect(found('others')).toEqual(['OS'])
    expect(found('mine', 'os')).toEqual([])
  })
})

describe('The history of a project', () => {
  const row = (id: number) => ({
    id,
    action: 'update' as const,
    auditable_type: 'ProjectAccessRequest',
    audited_name: 'Otto',
    name: 'Ada',
    via: 'session 1',
    comment: null,
    created_at: '2026-01-01T00:00:00.000Z',
    audited_changes: [{ field: 'admin_name', prev_value: null, new_value: ['x'] }],
  })

  it('is described in words, the newest first', () => {
    const [first, second] = shapeEntries([row(1), row(2)])
    expect(first).toMatchObject({ id: 2, summary: 'Project access request changed', subject: 'Otto' })
    expect(second?.changes).toEqual([{ field: 'Admin name', before: 'nothing', after: 'x' }])
  })

  it('has the names of the pages instead of those of the API', () => {
    const texts = [{ field: 'checks_attributes.7', prev_value: { content: 'a' }, new_value: null }]
    const [entry] = shapeEntries([{ ...row(1), comment: 'export_disposition_csv', audited_changes: texts }])
    expect(entry).toMatchObject({
      comment: 'The disposition of its comments was exported.',
      changes: [{ field: 'Check', before: 'Text: a', after: 'nothing' }],
    })
  })

  it('continues if a page was full', () => {
    expect(earlierThan(Array.from({ length: 50 }, (_, index) => ({ id: 90 - index })))).toBe(41)
    expect(earlierThan([{ id: 3 }])).toBe(null)
  })
})

describe('Recent changes', () => {
  const describeChange = (
    type: string,
    action: 'create' | 'update' | 'destroy',
    ...changes: readonly [string, unknown][]
  ) => {
    const row = {
      id: 1,
      component_id: 2,
      action,
      auditable_type: type,
      audited_name: 'PNGN-01-000003',
      name: 'Ada',
      via: 'session 1',
      comment: null,
      created_at: '2026-01-01T00:00:00.000Z',
      audited_changes: changes.map(([field, new_value]) => ({ field, prev_value: null, new_value })),
    }
    return recentLines([row], 'Otto').map(({ who, did, subject, rest }) => `${who} ${did} ${subject}${rest}`)
  }

  it.each([
    [describeChange('Rule', 'update', ['status', 'Not Applicable']), 'Ada set PNGN-01-000003 to Not Applicable'],
    [describeChange('Rule', 'update', ['fixtext', 'x']), 'Ada changed the fix of PNGN-01-000003'],
    [
      describeChange('Rule', 'update', ['fixtext', 'x'], ['status', 'y']),
      'Ada changed the fix and status of PNGN-01-000003',
    ],
    [
      describeChange('Rule', 'update', ['title', 'x'], ['fixtext', 'x'], ['status', 'y']),
      'Ada changed 3 fields of PNGN-01-000003',
    ],
    [describeChange('Rule', 'update', ['locked', true]), 'Ada locked PNGN-01-000003'],
    [describeChange('Rule', 'destroy'), 'Ada removed PNGN-01-000003'],
    [describeChange('Review', 'create', ['action', 'request_changes']), 'Ada asked for changes in PNGN-01-000003'],
    [describeChange('Component', 'create'), 'Ada added component PNGN-01-000003'],
  ])('are sentences: %s', (lines, sentence) => {
    expect(lines).toEqual([sentence])
  })

  it('mention a review once', () => {
    expect(describeChange('Rule', 'update', ['review_requestor_id', null], ['locked', true])).toEqual([])
    expect(describeChange('Review', 'create', ['action', 'lock_control'])).toEqual([])
  })
})

describe('An archive', () => {
  it('renames components that exist already, and leaves out unselected ones', () => {
    const archived = [
      { name: 'A', conflict: true },
      { name: 'B', conflict: false },
    ]
    const names = namesFor(archived, ['A'])
    expect(names).toEqual({ A: 'A (2)', B: 'B' })
    expect(filterOf(names, new Set(['B']))).toBe('{"A":"A (2)"}')
    const others = [...archived, { name: 'A (3)', conflict: false }]
    expect(namesFor(others, ['A', 'A (2)'])).toEqual({ A: 'A (4)', B: 'B', 'A (3)': 'A (3)' })
    const [long] = Object.values(namesFor([{ name: 'x'.repeat(255), conflict: true }], []))
    expect(long?.length).toBeLessThanOrEqual(255)
  })
})

describe('A membership', () => {
  it('cannot be removed if it is that of the only administrator', () => {
    const [admin, viewer] = [
      { id: 1, role: 'admin' },
      { id: 2, role: 'viewer' },
    ] as const
    expect(reasonToKeep(admin, [admin, viewer])).toContain('one administrator')
    expect(reasonToKeep(viewer, [admin, viewer])).toBe(null)
    expect(reasonToKeep(admin, [admin, { id: 3, role: 'admin' }])).toBe(null)
  })
})

describe('Requirements selected from SRGs', () => {
  const three = choosableOf([
    { id: 1, version: 'SRG-1', title: 'Lids' },
    { id: 2, version: 'SRG-2', title: 'Spouts & lids' },
    { id: 3, version: null, title: 'Without an id' },
  ])

  it('are those with an id, found by words', () => {
    expect(three.map(({ id }) => id)).toEqual([1, 2])
    expect(matchingRequirements(three, 'LIDS srg-2').map(({ id }) => id)).toEqual([2])
  })

  it('are all, unless some are selected; an empty selection is none', () => {
    const some = withRequirements(new Set(['SRG-1']), three, true)
    expect([...some]).toEqual(['SRG-1', 'SRG-2'])
    expect([...withRequirements(some, three.slice(1), false)]).toEqual(['SRG-1'])
    expect(selectionsOf([4, 5], new Map())).toEqual({})
    expect(selectionsOf([4, 5], new Map([[5, new Set(['SRG-1'])]]))).toEqual({ 5: ['SRG-1'] })
    expect(selectionsOf([4, 5], new Map([[5, new Set<string>()]]))).toEqual({ 5: [] })
    expect(selectionsOf([5], new Map([[5, new Set<string>()]]))).toBeNull()
    expect(selectionsOf([4], new Map([[5, new Set<string>()]]))).toEqual({})
  })
})

describe('Proposals to move requirements', () => {
  it('wait here by the letters of the prefix, wait elsewhere, or were declined', () => {
    const proposal = (id: number, component_id: number, declined_at: string | null = null) => ({
      id,
      component_id,
      declined_at,
      target_technology_token: 'KETL',
    })
    const proposals = [proposal(1, 5), proposal(2, 5, '2026-01-01'), proposal(3, 6, '2026-01-02')]
    const ids = (prefix: string, id: number): readonly (readonly number[])[] => {
      const { here, away, declined } = sortProposals(proposals, { id, prefix })
      return [here, away, declined].map((some) => some.map((listed) => listed.id))
    }
    expect(ids('KETL-00', 6)).toEqual([[1], [], [3]])
    expect(ids('ketl01', 9)).toEqual([[1], [], []])
    expect(ids('TEAP-00', 5)).toEqual([[], [1], [2]])
  })
})
