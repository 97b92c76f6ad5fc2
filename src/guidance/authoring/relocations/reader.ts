import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { compareCodeUnits } from '../../../graph/term.ts'
import type { Caller } from '../../../http/caller.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { RequirementRelocationsTable } from '../../database/schema/relocations.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import { isMemberOfComponent, mayReadComponent } from '../../parts/readable.ts'
import { tokenOf } from '../components/mint.ts'
import type { Destination, Relocation } from './schemas.ts'

/** The number of proposals in a list, the newest ones. */
const MAX_LISTED = 1000

const AUTHORS = ['author', 'reviewer', 'admin'] as const

/**
 * Finds the newest 1,000 open and declined proposals, oldest first: those of components where the caller is a member,
 * and those that the caller may decide on as an author of the destination.
 */
export async function findRelocations(
  reader: Reader,
  caller: Caller,
  token: string | undefined,
): Promise<Relocation[]> {
  const rows = await reader
    .selectFrom('requirement_relocations as relocation')
    .innerJoin('rules', 'rules.id', 'relocation.source_rule_id')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .leftJoin('users as requester', 'requester.id', 'relocation.requested_by_id')
    .leftJoin('users as decliner', 'decliner.id', 'relocation.declined_by_id')
    .select(['relocation.id', 'relocation.source_rule_id', 'relocation.target_technology_token'])
    .select(['relocation.created_at', 'relocation.declined_at'])
    .select(['relocation.adjudication_rationale', 'rules.component_id', 'rules.number'])
    .select(['components.name as component_name', 'components.prefix'])
    .select((is) => [
      is.fn.coalesce('requester.name', 'relocation.requested_by_name').as('requested_by_name'),
      is.fn.coalesce('decliner.name', 'relocation.declined_by_name').as('declined_by_name'),
    ])
    .where('relocation.executed_at', 'is', null)
    .where('rules.deleted_at', 'is', null)
    .where((is) => isFor(is, caller))
    .$if(token !== undefined, (query) =>
      query.where('relocation.target_technology_token', '=', (token ?? '').toUpperCase()),
    )
    .orderBy('relocation.id', 'desc')
    .limit(MAX_LISTED)
    .execute()
  return rows.reverse().map(({ prefix, number, ...row }) => ({
    ...row,
    source_displayed_name: displayedName(prefix, number),
  }))
}

interface RelocationSchema extends Schema {
  relocation: RequirementRelocationsTable
}

function isFor(
  is: ExpressionBuilder<RelocationSchema, 'relocation' | 'components'>,
  caller: Caller,
): Expression<SqlBool> {
  if (caller.admin) return sql<SqlBool>`1 = 1`
  return is.or([
    isMemberOfComponent(caller),
    is('relocation.id', 'in', (query) =>
      query
        .selectFrom('relocation_destinations as sent')
        .select('sent.relocation_id')
        .where((destination) => isAuthorIn(destination, caller)),
    ),
  ])
}

/** Whether the caller is an author in the project that a proposal was sent to, or of an SRG in it. */
function isAuthorIn(
  is: ExpressionBuilder<Schema & { sent: Schema['relocation_destinations'] }, 'sent'>,
  caller: Caller,
): Expression<SqlBool> {
  return is.or([
    is('sent.project_id', 'in', (query) =>
      query
        .selectFrom('memberships')
        .select('project_id')
        .where('user_id', '=', caller.id)
        .where('role', 'in', AUTHORS),
    ),
    is('sent.project_id', 'in', (query) =>
      query
        .selectFrom('component_memberships as direct')
        .innerJoin('components as own', 'own.id', 'direct.component_id')
        .select('own.project_id')
        .where('direct.user_id', '=', caller.id)
        .where('direct.role', 'in', AUTHORS)
        .where('own.document_type', '=', 'srg'),
    ),
  ])
}

interface PossibleDestination extends Destination {
  readonly componentId: number
  readonly projectId: number
}

/** SRGs that the caller may read and that have a token. Unreleased ones come first, then the newest. */
export async function findSrgs(reader: Reader, caller: Caller): Promise<readonly PossibleDestination[]> {
  const rows = await reader
    .selectFrom('components')
    .select(['id as componentId', 'project_id as projectId', 'name', 'prefix', 'released'])
    .where('document_type', '=', 'srg')
    .where(mayReadComponent(caller))
    .orderBy('released')
    .orderBy('id', 'desc')
    .execute()
  return rows.flatMap(({ prefix, ...row }) => {
    const token = tokenOf(prefix)
    return token === null ? [] : [{ ...row, token, released: row.released === 1 }]
  })
}

/** Finds one SRG for each token. An unreleased one takes precedence. */
export async function findDestinations(reader: Reader, caller: Caller): Promise<Destination[]> {
  const byToken = new Map<string, Destination>()
  for (const { token, name, released } of await findSrgs(reader, caller))
    if (!byToken.has(token)) byToken.set(token, { token, name, released })
  return [...byToken.values()].sort((a, b) => compareCodeUnits(a.token, b.token))
}
