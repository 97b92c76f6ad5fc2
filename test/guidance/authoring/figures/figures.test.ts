// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { daysRemaining, phaseOf } from '../../../../src/guidance/authoring/components/phase.ts'
import { percentage } from '../../../../src/guidance/authoring/components/rule-counts.ts'
import type { TriageStatus } from '../../../../src/guidance/database/schema/reviews.ts'
import { componentMember, makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { ago, alter, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { placeComment } from '../../../support/samples/reviews.ts'

const service = guidanceService()
const ann = signedIn(service, 'Ann')
let projectId = 0
let stig: MadeComponent
let srg: MadeComponent

beforeAll(async () => {
  projectId = await service().project(ann)
  stig = await makeComponent(service(), ann, { projectId, rules: 6, prefix: 'TEAP-00', version: 2, release: 1 })
  srg = await makeComponent(service(), ann, { projectId, kind: 'srg', prefix: 'CUPS-00', rules: 3 })
  await fill()
})

/** Gives rules of the STIG five statuses, removes one, and adds comments of all kinds. */
async function fill(): Promise<void> {
  const [first = 0, second = 0, third = 0, fourth = 0, , sixth = 0] = stig.rules
  const set = (id: number, values: Record<string, string | number>): Promise<unknown> =>
    setRows(service(), 'rules', values, { id })
  await set(first, { status: 'Applicable - Configurable', locked: 1 })
  await set(second, { status: 'Not Applicable', rule_severity: 'unknown' })
  await set(third, { status: 'Applicable - Inherently Meets', review_requestor_id: ann.id })
  await set(fourth, { status: 'Applicable - Does Not Meet' })
  await set(sixth, { deleted_at: new Date().toISOString(), locked: 1 })
  await comment('pending', first)
  await comment('pending', null)
  await comment('pending', sixth)
  await comment('concur', first)
  await comment('non_concur', second, true)
  await comment('needs_clarification', second)
  await comment('duplicate', second, true)
  await comment(null, third)
}

async function comment(triage_status: TriageStatus | null, rule_id: number | null, adjudicated = false): Promise<void> {
  const on = { component_id: stig.id, rule_id }
  const adjudicated_at = adjudicated ? ago(0) : null
  const id = await placeComment(service(), ann, { ...on, triage_status, adjudicated_at })
  await placeComment(service(), ann, { ...on, responding_to_review_id: id, triage_status: null })
}

async function get(path: string): Promise<unknown> {
  const { status, body } = await ann.call('GET', path)
  expect([status, body]).toEqual([200, body])
  return body
}

const NO_STIG = {
  not_yet_determined: 0,
  applicable_configurable: 0,
  applicable_inherently_meets: 0,
  applicable_does_not_meet: 0,
  not_applicable: 0,
}

describe('Component stats', () => {
  it('count live rules by status and severity', async () => {
    expect(await get(`/api/components/${stig.id}/stats`)).toEqual({
      document_type: 'stig',
      rules_by_status: {
        not_yet_determined: 1,
        applicable_configurable: 1,
        applicable_inherently_meets: 1,
        applicable_does_not_meet: 1,
        not_applicable: 1,
      },
      rules_by_severity: { high: 2, medium: 1, low: 1 },
      rule_count: 5,
      completion_pct: 80,
      lock_pct: 20,
    })
  })

  it('have the three statuses of an SRG', async () => {
    expect(await get(`/api/components/${srg.id}/stats`)).toMatchObject({
      rules_by_status: { not_yet_determined: 3, applicable: 0, not_applicable: 0 },
      rule_count: 3,
      completion_pct: 0,
      lock_pct: 0,
    })
  })

  it.each([
    [1, 3, 33.3],
    [2, 3, 66.7],
    [1, 16, 6.3],
    [1, 800, 0.1],
    [0, 0, 0],
    [5, 5, 100],
  ])('are percentages with one decimal: %i of %i', (part, whole, wanted) => {
    expect(percentage(part, whole)).toBe(wanted)
  })
})

describe('The workflow state', () => {
  it('reports progress of authoring, reviews, comments and triage', async () => {
    expect(await get(`/api/components/${stig.id}/workflow_state`)).toEqual({
      document_type: 'stig',
      authoring: { rules_total: 5, rules_determined: 4 },
      locks: { locked: 1, total: 5, all_locked: false },
      reviews: { under_review: 1 },
      comment: {
        phase: 'open',
        accepting_new_comments: true,
        triaging_active: true,
        frozen_for_writes: false,
        pending_comments: 2,
      },
      triage: { pending: 2, awaiting_adjudication: 1 },
      export: { released: false, releasable: false },
    })
  })

  it('reports a component as releasable when no rule is unlocked, even if it is empty', async () => {
    const { id } = await makeComponent(service(), ann, { projectId, rules: 1 })
    const state = (): Promise<unknown> => get(`/api/components/${id}/workflow_state`)
    expect(await state()).toMatchObject({ export: { releasable: false } })
    await setRows(service(), 'rules', { locked: 1 }, { component_id: id })
    expect(await state()).toMatchObject({ locks: { all_locked: true }, export: { releasable: true } })
    await alter(service(), (writer) => writer.deleteFrom('rules').where('component_id', '=', id).execute())
    expect(await state()).toMatchObject({ locks: { total: 0, all_locked: false }, export: { releasable: true } })
    await setRows(service(), 'components', { released: 1 }, { id })
    expect(await state()).toMatchObject({ export: { released: true, releasable: false } })
  })
})

describe('The comment phase', () => {
  it.each([
    ['open', null, [true, true, false]],
    ['closed', null, [false, false, false]],
    ['closed', 'adjudicating', [false, true, false]],
    ['closed', 'finalized', [false, false, true]],
  ] as const)('%s for the reason %s allows the expected actions', (comment_phase, closed_reason, expected) => {
    expect(Object.values(phaseOf({ comment_phase, closed_reason }))).toEqual(expected)
  })

  it.each([
    ['open', 36, 2],
    ['open', 24, 1],
    ['open', 0.1, 1],
    ['open', 0, null],
    ['open', -1, null],
    ['open', null, null],
    ['closed', 36, null],
  ] as const)('%s that ends in %s hours has %s days left', (comment_phase, hours, days) => {
    const now = Date.parse('2026-03-01T12:00:00.000Z')
    const ends = hours === null ? null : new Date(now + hours * 3_600_000).toISOString()
    expect(daysRemaining({ comment_phase, closed_reason: null, comment_period_ends_at: ends }, now)).toBe(days)
  })
})

describe('The summary of a component', () => {
  it('has the fields of the specification', async () => {
    await componentMember(service(), stig.id, { person: await service().person('Bea'), role: 'author' })
    const summary = await get(`/api/components/${stig.id}/summary`)
    expect(summary).toMatchObject({
      id: stig.id,
      prefix: 'TEAP-00',
      document_type: 'stig',
      version: 2,
      release: 1,
      released: false,
      project_id: projectId,
      component_id: null,
      security_requirements_guide_id: stig.srgId,
      based_on_version: 'V1R1',
      rules_count: 5,
      memberships_count: 1,
      severity_counts: { high: 2, medium: 1, low: 1 },
      pending_comment_count: 2,
      effective_permissions: 'admin',
      comment_phase: 'open',
      closed_reason: null,
      comment_period_days_remaining: null,
    })
  })

  it('has the higher of two roles, and null for readers of a released component', async () => {
    const { id } = await makeComponent(service(), ann, { projectId })
    const path = `/api/components/${id}/summary`
    const cleo = await service().signUp('Cleo')
    expect((await cleo.call('GET', path)).status).toBe(404)
    await componentMember(service(), id, { person: cleo, role: 'reviewer' })
    expect((await cleo.call('GET', path)).body).toMatchObject({ effective_permissions: 'reviewer' })
    await service().member(projectId, cleo, 'viewer')
    expect((await cleo.call('GET', path)).body).toMatchObject({ effective_permissions: 'reviewer' })
    await setRows(service(), 'components', { released: 1 }, { id })
    const dora = await service().signUp('Dora')
    expect((await dora.call('GET', path)).body).toMatchObject({ released: true, effective_permissions: null })
  })
})

describe('The triage summary', () => {
  const counts = {
    pending: 2,
    concur: 1,
    concur_with_comment: 0,
    non_concur: 1,
    duplicate: 1,
    informational: 0,
    needs_clarification: 1,
    withdrawn: 0,
    addressed_by: 0,
  }
  const wanted = { by_triage_status: counts, total: 7, adjudicated: 2, adjudication_pct: 28.6 }

  it('counts top-level comments on live rules and on the component', async () => {
    expect(await get(`/api/components/${stig.id}/triage_summary`)).toEqual(wanted)
  })

  it('has the same counts for a project without other comments', async () => {
    expect(await get(`/api/projects/${projectId}/triage_summary`)).toEqual(wanted)
  })

  it('has every status, and no percentage without comments', async () => {
    expect(await get(`/api/components/${srg.id}/triage_summary`)).toEqual({
      by_triage_status: Object.fromEntries(Object.keys(counts).map((key) => [key, 0])),
      total: 0,
      adjudicated: 0,
      adjudication_pct: 0,
    })
  })
})

describe('Project stats', () => {
  it('count STIGs and SRGs separately and list the components by prefix', async () => {
    const other = await service().project(ann)
    await makeComponent(service(), ann, { projectId: other, prefix: 'ZZZZ-00', rules: 2 })
    const srgComponent = await makeComponent(service(), ann, {
      projectId: other,
      kind: 'srg',
      prefix: 'AAAA-00',
      rules: 1,
    })
    await setRows(service(), 'rules', { status: 'Applicable', locked: 1 }, { component_id: srgComponent.id })
    expect(await get(`/api/projects/${other}/stats`)).toMatchObject({
      aggregate: {
        rules_by_status_by_type: {
          stig: { ...NO_STIG, not_yet_determined: 2 },
          srg: { not_yet_determined: 0, applicable: 1, not_applicable: 0 },
        },
        rules_by_severity: { high: 2, medium: 1, low: 0 },
        rule_count: 3,
        completion_pct: 33.3,
        lock_pct: 33.3,
      },
      components: [
        { prefix: 'AAAA-00', document_type: 'srg', rule_count: 1, completion_pct: 100 },
        { prefix: 'ZZZZ-00', document_type: 'stig', rule_count: 2, lock_pct: 0 },
      ],
    })
  })

  it('are complete for a project without components', async () => {
    const empty = await service().project(ann)
    expect(await get(`/api/projects/${empty}/stats`)).toEqual({
      aggregate: {
        rules_by_status_by_type: { stig: NO_STIG, srg: { not_yet_determined: 0, applicable: 0, not_applicable: 0 } },
        rules_by_severity: { high: 0, medium: 0, low: 0 },
        rule_count: 0,
        completion_pct: 0,
        lock_pct: 0,
      },
      components: [],
    })
  })
})

describe('The latest components', () => {
  async function released(how: Parameters<typeof makeComponent>[2]): Promise<number> {
    const { id } = await makeComponent(service(), ann, { rules: 1, ...how })
    await setRows(service(), 'components', { released: 1 }, { id })
    return id
  }

  it('are the newest released ones of each prefix in all projects', async () => {
    const other = await service().project(ann)
    const name = 'Red Hat Enterprise Linux'
    await released({ projectId, prefix: 'OLDR-01', name, version: 1, release: 10 })
    await released({ projectId, prefix: 'OLDR-01', name, version: 2 })
    const newest = await released({ projectId: other, prefix: 'OLDR-01', name, version: 2 })
    await released({ projectId, prefix: 'OLDR-01', name, version: null, release: 99 })
    await makeComponent(service(), ann, { projectId, prefix: 'OLDR-01', version: 9, rules: 1 })
    const bare = await released({ projectId, prefix: 'ABCD-01', name: 'Kettle' })
    const eve = await service().signUp('Eve')
    const ids = async (query: string): Promise<unknown> => {
      const { body } = await eve.call('GET', `/api/components/latest${query}`)
      const { rows } = z.object({ rows: z.array(z.object({ id: z.int(), prefix: z.string() })) }).parse(body)
      return rows.filter(({ prefix }) => prefix.endsWith('-01')).map(({ id }) => id)
    }
    expect(await ids('')).toEqual([bare, newest])
    expect(await ids('?q=rhel')).toEqual([newest])
    expect(await ids('?q=KETTLE')).toEqual([bare])
    expect(await ids('?q=oldr-01')).toEqual([newest])
    expect(await ids('?q=k')).toEqual([])
    expect(await ids('?q=%25')).toEqual([])
  })
})
