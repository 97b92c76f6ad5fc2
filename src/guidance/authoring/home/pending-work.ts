import type { SelectQueryBuilder } from 'kysely'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { TriageStatus } from '../../database/schema/reviews.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import { hasRole, ROLES } from '../../parts/project-access.ts'
import { tokenOf } from '../components/mint.ts'
import type { Home, PendingComponent } from './schemas.ts'

interface Destination {
  readonly component: {
    readonly id: number
    readonly prefix: string
    readonly project: { readonly id: number }
  }
  readonly documentType: BenchmarkKind
}

const DECIDED_STATUSES: readonly TriageStatus[] = ['concur', 'concur_with_comment', 'non_concur']

/**
 * Finds the components of which somebody is a member and in which work waits for them. A few queries, each over all of
 * their components.
 */
export async function findPendingWork(
  reader: Reader,
  { userId, components }: OwnComponents,
): Promise<PendingComponent[]> {
  const scope = { reader, userId, ids: components.map(({ component }) => component.id) }
  if (components.length === 0) return []
  const counts = {
    reviews: await countReviews(scope),
    changes_requested: await countChanges(scope),
    pending_comments: await countComments(scope, ['pending']),
    awaiting_adjudication: await countComments(scope, DECIDED_STATUSES),
    clarifications: await countClarifications(scope),
    relocations: await countProposals(reader, components),
  }
  return components
    .map(({ component, released, frozen }) => {
      const hasLeast = (least: Role): boolean => hasRole(component.role, least)
      const countIf = (allowed: boolean, counts: CountsByComponent): number =>
        allowed ? (counts.get(component.id) ?? 0) : 0
      return {
        ...component,
        reviews: countIf(hasLeast('reviewer') && !released, counts.reviews),
        changes_requested: countIf(hasLeast('author') && !released, counts.changes_requested),
        pending_comments: countIf(hasLeast('author') && !frozen, counts.pending_comments),
        awaiting_adjudication: countIf(hasLeast('author') && !frozen, counts.awaiting_adjudication),
        clarifications: countIf(!frozen, counts.clarifications),
        relocations: countIf(hasLeast('author') && !released, counts.relocations),
      }
    })
    .filter(hasPendingWork)
}

function hasPendingWork(component: PendingComponent): boolean {
  const { reviews, changes_requested, pending_comments, awaiting_adjudication } = component
  const sum = reviews + changes_requested + pending_comments + awaiting_adjudication
  return sum + component.clarifications + component.relocations > 0
}

/** The components of which somebody is a member. */
export interface OwnComponents {
  readonly userId: number
  readonly components: readonly OwnComponent[]
}

interface OwnComponent {
  readonly component: Omit<Home['own_components'][number], 'rules' | 'decided' | 'updated_at'>
  readonly documentType: BenchmarkKind
  readonly released: boolean
  readonly frozen: boolean
  readonly updatedAt: string
}

/** The components of which somebody is a member, by project and name. */
export async function findComponents(reader: Reader, userId: number): Promise<readonly OwnComponent[]> {
  const rows = await reader
    .selectFrom('components')
    .innerJoin('projects', 'projects.id', 'components.project_id')
    .innerJoin('benchmarks', 'benchmarks.id', 'components.security_requirements_guide_id')
    .leftJoin('memberships as inherited', (join) =>
      join.onRef('inherited.project_id', '=', 'components.project_id').on('inherited.user_id', '=', userId),
    )
    .leftJoin('component_memberships as direct', (join) =>
      join.onRef('direct.component_id', '=', 'components.id').on('direct.user_id', '=', userId),
    )
    .select(['components.id', 'components.name', 'components.prefix'])
    .select(['components.version', 'components.release', 'components.released'])
    .select(['components.document_type', 'components.updated_at', 'components.comment_period_ends_at'])
    .select(['benchmarks.title as based_on_title', 'benchmarks.version as based_on_version'])
    .select(['components.closed_reason', 'components.project_id', 'projects.name as project_name'])
    .select(['inherited.role as inherited_role', 'direct.role as direct_role'])
    .where((is) => is.or([is('inherited.id', 'is not', null), is('direct.id', 'is not', null)]))
    .orderBy('projects.name_key')
    .orderBy('components.name_key')
    .orderBy('components.id')
    .execute()
  return rows.flatMap(({ project_id, project_name, inherited_role, direct_role, ...row }) => {
    const role = ROLES.findLast((candidate) => candidate === inherited_role || candidate === direct_role)
    if (role === undefined) return []
    const { released, closed_reason, document_type: documentType, updated_at: updatedAt, ...component } = row
    const project = { id: project_id, name: project_name }
    return [
      {
        component: { ...component, project, role },
        documentType,
        released: released === 1,
        frozen: closed_reason === 'finalized',
        updatedAt,
      },
    ]
  })
}

interface OwnWorkScope {
  readonly reader: Reader
  readonly userId: number
  readonly ids: readonly number[]
}

type CountsByComponent = ReadonlyMap<number, number>

function countReviews({ reader, userId, ids }: OwnWorkScope): Promise<CountsByComponent> {
  return byComponent(
    reader
      .selectFrom('rules')
      .select('component_id')
      .select((is) => is.fn.countAll<number>().as('count'))
      .where('component_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .where('review_requestor_id', 'is not', null)
      .where('review_requestor_id', '<>', userId)
      .groupBy('component_id'),
  )
}

function countChanges({ reader, userId, ids }: OwnWorkScope): Promise<CountsByComponent> {
  return byComponent(
    reader
      .selectFrom('rules')
      .select('component_id')
      .select((is) => is.fn.countAll<number>().as('count'))
      .where('component_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .where('changes_requested', '=', 1)
      .where('id', 'in', (query) =>
        query
          .selectFrom('reviews')
          .select('rule_id')
          .where('component_id', 'in', ids)
          .where('user_id', '=', userId)
          .where('action', '=', 'request_review')
          .where('rule_id', 'is not', null),
      )
      .groupBy('component_id'),
  )
}

/** Counts comments that are not closed and have one of these statuses. */
function countComments(scope: OwnWorkScope, statuses: readonly TriageStatus[]): Promise<CountsByComponent> {
  return byComponent(openComments(scope).where('reviews.triage_status', 'in', statuses))
}

function countClarifications(scope: OwnWorkScope): Promise<CountsByComponent> {
  return byComponent(
    openComments(scope)
      .where('reviews.user_id', '=', scope.userId)
      .where('reviews.triage_status', '=', 'needs_clarification')
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('reviews as reply')
              .select('reply.id')
              .whereRef('reply.responding_to_review_id', '=', 'reviews.id')
              .whereRef('reply.created_at', '>', 'reviews.triage_set_at')
              .where('reply.user_id', '=', scope.userId),
          ),
        ),
      ),
  )
}

/** Selects open top-level comments, without those on deleted rules, to be counted by component. */
function openComments({ reader, ids }: OwnWorkScope) {
  return reader
    .selectFrom('reviews')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .select('reviews.component_id')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('reviews.component_id', 'in', ids)
    .where('reviews.action', '=', 'comment')
    .where('reviews.responding_to_review_id', 'is', null)
    .where('reviews.adjudicated_at', 'is', null)
    .where('rules.deleted_at', 'is', null)
    .groupBy('reviews.component_id')
}

type ComponentCountQuery = SelectQueryBuilder<
  Schema,
  keyof Schema,
  { readonly component_id: number; readonly count: number }
>

async function byComponent(query: Pick<ComponentCountQuery, 'execute'>): Promise<CountsByComponent> {
  const rows = await query.execute()
  return new Map(rows.map(({ component_id, count }) => [component_id, count]))
}

/** Counts the requirements that other SRGs have proposed to each of these components and that are not decided. */
async function countProposals(
  reader: Reader,
  components: readonly Destination[],
): Promise<ReadonlyMap<number, number>> {
  const srgs = components.flatMap(({ component, documentType }) => (documentType === 'srg' ? [component] : []))
  if (srgs.length === 0) return new Map()
  const open = await reader
    .selectFrom('relocation_destinations as sent')
    .innerJoin('requirement_relocations as relocation', 'relocation.id', 'sent.relocation_id')
    .innerJoin('rules', 'rules.id', 'relocation.source_rule_id')
    .select(['sent.project_id', 'rules.component_id'])
    .select('relocation.target_technology_token as token')
    .where('sent.project_id', 'in', [...new Set(srgs.map(({ project }) => project.id))])
    .where('relocation.executed_at', 'is', null)
    .where('relocation.declined_at', 'is', null)
    .where('rules.deleted_at', 'is', null)
    .execute()
  return new Map(
    srgs.map(({ id, prefix, project }) => {
      const token = tokenOf(prefix)
      const proposals = open.filter(
        (proposal) => proposal.project_id === project.id && proposal.token === token && proposal.component_id !== id,
      )
      return [id, proposals.length]
    }),
  )
}
