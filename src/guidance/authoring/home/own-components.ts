import { STATUSES } from '../../../tables/statuses.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import type { OwnComponents } from './pending-work.ts'
import type { Home } from './schemas.ts'

/** The number of components to list, those changed last. */
const MAX_COMPONENTS = 20
const MAX_CHANGES = 50

/** The unreleased components of which somebody is a member, with the number of rules that have a status. */
export async function findOwnComponents(
  reader: Reader,
  { components }: OwnComponents,
): Promise<Home['own_components']> {
  const unreleased = components
    .filter(({ released }) => !released)
    .toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, MAX_COMPONENTS)
  if (unreleased.length === 0) return []
  const rows = await reader
    .selectFrom('rules')
    .select(['component_id', 'status'])
    .select((is) => is.fn.countAll<number>().as('count'))
    .where(
      'component_id',
      'in',
      unreleased.map(({ component }) => component.id),
    )
    .where('deleted_at', 'is', null)
    .groupBy(['component_id', 'status'])
    .execute()
  return unreleased.map(({ component, updatedAt }) => {
    const counts = rows.filter((row) => row.component_id === component.id)
    const decided = counts.filter(({ status }) => status !== STATUSES.stig.not_yet_determined)
    return { ...component, rules: sumOf(counts), decided: sumOf(decided), updated_at: updatedAt }
  })
}

function sumOf(rows: readonly { readonly count: number | string | bigint }[]): number {
  return rows.reduce((sum, { count }) => sum + Number(count), 0)
}

/** Finds the comments of reviewers who asked this person for changes. */
export async function findRequestedChanges(
  reader: Reader,
  { userId, components }: OwnComponents,
): Promise<Home['requested_changes']> {
  const rows = await reader
    .selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .innerJoin('reviews', 'reviews.rule_id', 'rules.id')
    .select(['rules.id as rule_id', 'rules.number', 'components.prefix', 'components.id as component_id'])
    .select(['reviews.author_name', 'reviews.comment', 'reviews.created_at'])
    .where('rules.deleted_at', 'is', null)
    .where('rules.changes_requested', '=', 1)
    .where('components.released', '=', 0)
    .where('reviews.action', '=', 'request_changes')
    .where('rules.id', 'in', (query) =>
      query
        .selectFrom('reviews as request')
        .select('request.rule_id')
        .where('request.user_id', '=', userId)
        .where('request.action', '=', 'request_review')
        .where('request.rule_id', 'is not', null),
    )
    .orderBy('reviews.id', 'desc')
    .execute()
  const newest = new Map(rows.toReversed().map((row) => [row.rule_id, row]))
  const ownIds = new Set(components.map(({ component }) => component.id))
  return [...newest.values()]
    .filter(({ component_id }) => ownIds.has(component_id))
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    .slice(0, MAX_CHANGES)
    .map(({ prefix, number, author_name, comment, component_id, created_at }) => ({
      component_id,
      rule: displayedName(prefix, number),
      by: author_name,
      comment,
      created_at,
    }))
}
