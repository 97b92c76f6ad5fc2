import { describe, expect, it } from 'vitest'
import * as allowed from '../../../src/web/application/comments/allowed.ts'
import { pickedRule } from '../../../src/web/application/comments/decision/picked-rule.ts'
import { exportPath, filtersOf } from '../../../src/web/application/comments/filters.ts'
import { bySection } from '../../../src/web/application/comments/rule/by-section.ts'
import { dayOf, momentOf, whyNoPeriod } from '../../../src/web/application/comments/triage/period.ts'
import { positionText, stepFrom } from '../../../src/web/application/comments/triage/place.ts'

const OPEN = {
  effective_permissions: 'viewer' as const,
  accepting_new_comments: true,
  triaging_active: true,
  frozen_for_writes: false,
}
const FINAL = { ...OPEN, accepting_new_comments: false, triaging_active: false, frozen_for_writes: true }
const OWN = { own: true, triage_status: 'pending', adjudicated_at: null, responding_to_review_id: null }

describe('The actions on a comment', () => {
  it('follow the role and the phase', () => {
    expect(allowed.whyNoComment(OPEN)).toBeNull()
    expect(allowed.whyNoComment(FINAL)).toContain('final')
    expect(allowed.whyNoComment({ ...OPEN, effective_permissions: null })).toContain('members')
    expect(allowed.whyNoReply({ ...OPEN, accepting_new_comments: false })).toBeNull()
    expect(allowed.whyNoTriage(OPEN)).toContain('Authors')
    expect(allowed.whyNoTriage({ ...OPEN, effective_permissions: 'author' })).toBeNull()
    expect(allowed.whyNoTriage({ ...FINAL, effective_permissions: 'admin' })).toContain('final')
  })

  it('leave editing to the author, until a decision', () => {
    expect(allowed.canReword(OPEN, OWN)).toBe(true)
    expect(allowed.canReword(OPEN, { ...OWN, own: false })).toBe(false)
    expect(allowed.canReword(FINAL, OWN)).toBe(false)
    const asked = { ...OWN, triage_status: 'needs_clarification' }
    expect(allowed.canReword(OPEN, asked)).toBe(false)
    expect(allowed.canWithdraw(OPEN, asked)).toBe(true)
    expect(allowed.canWithdraw(OPEN, { ...OWN, triage_status: 'concur' })).toBe(false)
  })

  it('decide on a closed comment only with a status that closes it', () => {
    expect(allowed.decisionsFor(OWN)).not.toContain('pending')
    expect(allowed.decisionsFor({ adjudicated_at: '2026-01-01' })).toEqual([
      'informational',
      'duplicate',
      'addressed_by',
      'withdrawn',
    ])
    expect(allowed.canClose({ ...OWN, triage_status: 'concur' })).toBe(true)
    expect(allowed.canClose(OWN)).toBe(false)
  })

  it('merge comments of one person in one component', () => {
    const comment = { component_id: 1, triage_status: 'pending', commenter_id: 3, commenter_display_name: 'Vera' }
    expect(allowed.whyNoMerge([comment])).toContain('two')
    expect(allowed.whyNoMerge([comment, comment])).toBeNull()
    expect(allowed.whyNoMerge([comment, { ...comment, component_id: 2 }])).toContain('components')
    const repeated = { ...comment, triage_status: 'duplicate' }
    expect(allowed.whyNoMerge([repeated, repeated])).toContain('repeat')
    expect(allowed.survivorsIn([repeated, comment])).toEqual([comment])
    expect(allowed.whyNoMerge([comment, { ...comment, commenter_id: 4 }])).toContain('people')
    expect(allowed.whyNoMerge([comment, { ...comment, commenter_display_name: 'Vera V' }])).toBeNull()
    const imported = { ...comment, commenter_id: null }
    expect(allowed.whyNoMerge([imported, imported])).toBeNull()
    expect(allowed.whyNoMerge([imported, comment])).toContain('people')
    const other = { ...imported, commenter_display_name: 'O' }
    expect(allowed.whyNoMerge([imported, other])).toContain('people')
  })

  it('leave the period to authors, and after the release to site administrators', () => {
    const author = { effective_permissions: 'author', released: false } as const
    expect(whyNoPeriod(author, false)).toBeNull()
    expect(whyNoPeriod({ ...author, effective_permissions: 'viewer' }, false)).not.toBeNull()
    expect(whyNoPeriod({ ...author, released: true }, false)).not.toBeNull()
    expect(whyNoPeriod({ ...author, released: true }, true)).toBeNull()
    expect(dayOf(momentOf('2026-02-03'))).toBe('2026-02-03')
    expect(momentOf('')).toBeNull()
  })
})

describe('The filters of an address', () => {
  it('go into the export; invalid values count as none', () => {
    const odd = filtersOf({ status: 'odd', section: 'x', resolved: '1', page: '-3', of: 'a' })
    expect(odd).toMatchObject({ status: 'pending', section: 'all', page: 1, component: 0 })
    const filters = filtersOf({ status: 'all', section: 'fixtext', filter: ' a&b ', on: '7', of: '3' })
    expect(exportPath({ kind: 'component', id: 2 }, filters)).toBe(
      '/components/2/export/disposition_csv?triage_status=all&section=fixtext&q=a%26b&rule_id=7',
    )
    expect(exportPath({ kind: 'project', id: 2 }, filters)).toBe(
      '/projects/2/export/disposition_csv?triage_status=all&section=fixtext&q=a%26b&component_ids=3',
    )
  })
})

describe('A step in a list', () => {
  const position = { ids: [7, 8, 9], open: 8, last: 1, pagination: { page: 2, per_page: 3, total: 8 } }

  it('leads to the next comment, across pages, and from a comment that has left the list', () => {
    expect(stepFrom(position, 1)).toEqual({ comment: 9 })
    expect(stepFrom({ ...position, open: 9 }, 1)).toEqual({ page: 3, end: 'first' })
    expect(stepFrom({ ...position, open: 7 }, -1)).toEqual({ page: 1, end: 'last' })
    expect(stepFrom({ ...position, ids: [7, 9], open: 8 }, 1)).toEqual({ comment: 9 })
    expect(stepFrom({ ...position, ids: [7, 9], open: 8 }, -1)).toEqual({ comment: 7 })
    const end = { ...position, pagination: { page: 1, per_page: 3, total: 3 } }
    expect(stepFrom({ ...end, open: 9 }, 1)).toBeNull()
    expect(stepFrom({ ...end, open: 7 }, -1)).toBeNull()
    expect([positionText(position), positionText({ ...position, open: 1 })]).toEqual([
      '5 of 8',
      'not among the 8 of this filter',
    ])
  })
})

describe('The comments of a rule', () => {
  it('are grouped by section, and none is lost', () => {
    const comments = [{ section: 'fixtext' }, { section: null }, { section: 'nose' }]
    expect(bySection(comments).map(({ section }) => section)).toEqual([null, 'fixtext', 'nose'])
  })
})

describe('A rule that is picked', () => {
  const options = ['Close the lid', 'Close the spout', 'Warm the pot'].map((title, index) => {
    const name = `TEAP-00-00000${index + 1}`
    return { rule: index + 1, name, text: `${name}: ${title}` }
  })

  it('is the rule with the typed name, or the only rule with the typed words', () => {
    const pick = (typed: string) => {
      const { match, matchCount } = pickedRule(options, typed)
      return [match?.rule ?? null, matchCount]
    }
    expect(pick(' ')).toEqual([null, 3])
    expect(pick('teap-00-000002')).toEqual([2, 1])
    expect(pick('TEAP-00-000003: Warm the pot')).toEqual([3, 1])
    expect(pick('000001')).toEqual([1, 1])
    expect(pick('spout close')).toEqual([2, 1])
    expect(pick('close')).toEqual([null, 2])
    expect(pick('kettle')).toEqual([null, 0])
  })
})
