import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { findProjectHistory } from '../../activity/audits/reader.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import type { ProjectGrant } from '../../parts/project-access.ts'
import { findAccessRequests } from '../access-requests/reader.ts'
import { countRulesOf, isLocked, sumOf } from '../components/counts.ts'
import { findCards } from '../components/reader.ts'
import { figuresOf, type RuleCount } from '../components/rule-counts.ts'
import { isKnownTo } from '../memberships/known-people.ts'
import { findMemberships } from '../memberships/reader.ts'
import { requireProject } from './reader.ts'
import type { ProjectDetail } from './schemas.ts'

/** The number of people in the answer; `GET /api/users/search` finds the others. */
const MAX_OFFERED = 200

/**
 * Finds a project for its members. Only its administrators get access requests and the first 200 people who could be
 * added, because nobody else can use them. With a finder, the list has only people whom the finder knows.
 */
export async function findProjectDetail(
  reader: Reader,
  { projectId, role }: ProjectGrant,
  finder: number | null,
): Promise<ProjectDetail> {
  const project = await requireProject(reader, projectId)
  const scope = { projectId }
  const components = await findCards(reader, (is) => is('components.project_id', '=', projectId))
  return {
    ...project,
    metadata: { ...project.metadata },
    created_at: formatTime(project.created_at),
    updated_at: formatTime(project.updated_at),
    effective_permissions: role,
    memberships: await findMemberships(reader, (is) => is('projects.id', '=', projectId)),
    access_requests: role === 'admin' ? await findAccessRequests(reader, scope) : [],
    users: role === 'admin' ? await findOthers(reader, projectId, finder) : [],
    histories: [...(await findProjectHistory(reader, projectId))],
    components,
    available_components: await findCards(reader, (is) => isAvailable(is, projectId)),
    pending_comment_count: components.reduce((sum, component) => sum + component.pending_comment_count, 0),
    details: await findDetails(reader, projectId),
  }
}

/** People who are not members, by name. */
function findOthers(reader: Reader, projectId: number, finder: number | null): Promise<ProjectDetail['users']> {
  const otherUsers = reader
    .selectFrom('users')
    .select(['users.id', 'users.name', 'users.email'])
    .where('users.id', 'not in', (is) =>
      is.selectFrom('memberships').select('user_id').where('project_id', '=', projectId),
    )
    .orderBy('users.search_key')
    .orderBy('users.id')
    .limit(MAX_OFFERED)
  return (finder === null ? otherUsers : otherUsers.where((is) => isKnownTo(is, finder))).execute()
}

/** Whether a component is released, and neither in the project nor the base of one of its components. */
function isAvailable(is: ExpressionBuilder<Schema, 'components'>, projectId: number): Expression<SqlBool> {
  return is.and([
    is('components.released', '=', 1),
    is('components.project_id', '<>', projectId),
    is('components.id', 'not in', (from) =>
      from
        .selectFrom('components as over')
        .select('over.component_id')
        .where('over.project_id', '=', projectId)
        .where('over.component_id', 'is not', null),
    ),
  ])
}

/** Counts the requirements of all components by status. */
async function findDetails(reader: Reader, projectId: number): Promise<ProjectDetail['details']> {
  const countsByComponent = await countRulesOf(reader, (is) => is('components.project_id', '=', projectId))
  const kinds = await reader
    .selectFrom('components')
    .select(['id', 'document_type'])
    .where('project_id', '=', projectId)
    .execute()
  const countsOf = (kind: BenchmarkKind): readonly RuleCount[] =>
    kinds.flatMap(({ id, document_type }) => (document_type === kind ? (countsByComponent.get(id) ?? []) : []))
  const [stig, srg] = [countsOf('stig'), countsOf('srg')]
  const counts = [...stig, ...srg]
  const isReviewed = ({ under_review }: RuleCount): boolean => under_review === 1
  const [lck, ur, total] = [sumOf(counts, isLocked), sumOf(counts, isReviewed), sumOf(counts)]
  return { stig: stigDetails(stig), srg: srgDetails(srg), nur: total - ur - lck, ur, lck, total }
}

function stigDetails(counts: readonly RuleCount[]): ProjectDetail['details']['stig'] {
  const { rules_by_status: byStatus, rule_count: total } = figuresOf(counts, 'stig')
  return {
    ac: byStatus['applicable_configurable'] ?? 0,
    aim: byStatus['applicable_inherently_meets'] ?? 0,
    adnm: byStatus['applicable_does_not_meet'] ?? 0,
    na: byStatus['not_applicable'] ?? 0,
    nyd: byStatus['not_yet_determined'] ?? 0,
    total,
  }
}

function srgDetails(counts: readonly RuleCount[]): ProjectDetail['details']['srg'] {
  const { rules_by_status: byStatus, rule_count: total } = figuresOf(counts, 'srg')
  return {
    applicable: byStatus['applicable'] ?? 0,
    na: byStatus['not_applicable'] ?? 0,
    nyd: byStatus['not_yet_determined'] ?? 0,
    total,
  }
}

/** `2026-01-31 23:59:59 UTC`, the form on the pages of projects. */
function formatTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
