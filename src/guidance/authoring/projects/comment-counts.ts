import type { Caller } from '../../../http/caller.ts'
import { append } from '../../../platform/append.ts'
import type { Reader } from '../../database/transaction.ts'
import { mayReadComponent } from '../../parts/readable.ts'

/** Top-level comments of one component; those on deleted rules are not counted. */
export interface ComponentComments {
  readonly component_id: number
  readonly pending: number
  readonly total: number
}

/** Counts the comments that the caller may read, by project; one query. */
export async function countComments(
  reader: Reader,
  caller: Caller,
): Promise<ReadonlyMap<number, readonly ComponentComments[]>> {
  const rows = await reader
    .selectFrom('reviews')
    .innerJoin('components', 'components.id', 'reviews.component_id')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .select(['components.project_id', 'reviews.component_id'])
    .select((is) => [
      is.fn.countAll<number>().as('total'),
      is.fn.count<number>(is.case().when('reviews.triage_status', '=', 'pending').then(1).end()).as('pending'),
    ])
    .where('reviews.action', '=', 'comment')
    .where('reviews.responding_to_review_id', 'is', null)
    .where('rules.deleted_at', 'is', null)
    .where('components.id', 'in', (is) =>
      is.selectFrom('components').select('components.id').where(mayReadComponent(caller)),
    )
    .groupBy(['components.project_id', 'reviews.component_id'])
    .execute()
  const byProject = new Map<number, ComponentComments[]>()
  for (const { project_id, ...counts } of rows) append(byProject, project_id, counts)
  return byProject
}

interface CommentFigures {
  readonly pending_comment_count: number
  readonly total_comment_count: number
  readonly pending_comment_link: string | null
}

/** The figures in a project's row. Only members of the project can open the triage of all its comments. */
export function commentFigures(
  projectId: number,
  components: readonly ComponentComments[],
  isMember: boolean,
): CommentFigures {
  const pending = components.filter((component) => component.pending > 0)
  const [onlyComponent] = pending
  const isOne = onlyComponent !== undefined && pending.length === 1
  const ofProject = isMember && components.length > 0 ? `/projects/${projectId}/triage` : null
  return {
    pending_comment_count: pending.reduce((sum, component) => sum + component.pending, 0),
    total_comment_count: components.reduce((sum, component) => sum + component.total, 0),
    pending_comment_link: isOne ? `/components/${onlyComponent.component_id}/triage` : ofProject,
  }
}
