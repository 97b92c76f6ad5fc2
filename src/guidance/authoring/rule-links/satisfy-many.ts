import type { Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import { requireComponentRole, requireRuleRole, type ComponentGrant } from '../access/component-access.ts'
import { refuseObstacles } from '../rule-editing/refuse-obstacles.ts'
import { changeRules } from '../rule-editing/writer.ts'
import type { ChangeContext } from '../rule-locks/locking.ts'
import { findRules, ofComponent, requireRule, type AuthoredRule, type LinkedRule } from '../rules/reader.ts'
import { isLockedFor } from '../rules/sections.ts'
import { insertLinks, NOT_LINKED, satisfactionChanges, obstacleOf, STATUS_COLUMNS } from './satisfactions.ts'

/** One rule is to satisfy these rules: some by their ids, and all rules of requirements. */
export interface SatisfactionRequest {
  readonly componentId: number
  readonly satisfiedBy: number
  readonly ruleIds: readonly number[]
  readonly srgIds: readonly string[]
}

/** A reason why nothing is linked. `id` is the id of a rule or of a requirement in the request. */
interface LinkObstacle {
  readonly id: number | string
  readonly displayed_name: string | null
  readonly reason: 'not_found' | 'locked' | 'section_locked' | 'impossible'
  readonly message: string
}

/**
 * Links many rules of a component to the rule that satisfies them. Links all, or none and lists all reasons (422,
 * `obstacles`). Existing links stay. Returns the ids of the rules that were linked. The components must be locked.
 */
export async function linkMany(
  writer: Writer,
  request: SatisfactionRequest,
  context: ChangeContext,
): Promise<readonly number[]> {
  const parent = await requireRule(writer, request.satisfiedBy)
  const componentRules = await findRules(writer, ofComponent(request.componentId))
  if (parent.document_type !== 'stig' || componentRules.some((rule) => rule.document_type !== 'stig')) throw notFound()
  const { rules, missing } = selectRules(componentRules, parent, request)
  const unlinked = rules.filter((rule) => rule.satisfiedBy.every(({ id }) => id !== parent.id))
  const obstacles = [...missing, ...unlinked.flatMap((child) => obstaclesOf(child, parent))]
  if (obstacles.length > 0) throw refuseObstacles(NOT_LINKED, obstacles)
  if (unlinked.length === 0) return []
  await linkChildren(writer, unlinked, parent)
  const changes = unlinked.map((rule) =>
    Object.assign({ rule }, satisfactionChanges(rule, [...rule.satisfiedBy, parent].toSorted(byNumber))),
  )
  await changeRules(writer, changes, context)
  return unlinked.map(({ id }) => id)
}

/** Locks both components, in the order of ids to prevent deadlocks, and checks the access to both. */
export async function openMany(
  writer: Writer,
  caller: Caller,
  { componentId, satisfiedBy }: { readonly componentId: number; readonly satisfiedBy: number },
): Promise<ComponentGrant> {
  const parent = await writer
    .selectFrom('rules')
    .select('component_id')
    .where('id', '=', satisfiedBy)
    .executeTakeFirst()
  const ids = [...new Set([componentId, parent?.component_id ?? componentId])].toSorted((a, b) => a - b)
  for (const id of ids) await writer.lock('component', id)
  const grant = await requireComponentRole(writer, caller, { componentId, least: 'author', unreleased: true })
  await requireRuleRole(writer, caller, { ruleId: satisfiedBy, least: 'read' })
  return grant
}

/** Leaves out the satisfying rule itself when a requirement selects it. */
function selectRules(
  componentRules: readonly AuthoredRule[],
  parent: AuthoredRule,
  { ruleIds, srgIds }: SatisfactionRequest,
): { readonly rules: readonly AuthoredRule[]; readonly missing: readonly LinkObstacle[] } {
  const ids = new Set(ruleIds)
  const requirements = new Set(srgIds.map((id) => id.toUpperCase()))
  const isOfRequirement = ({ id, version }: AuthoredRule): boolean =>
    id !== parent.id && version !== null && requirements.has(version.toUpperCase())
  const rules = componentRules.filter((rule) => ids.has(rule.id) || isOfRequirement(rule))
  const knownIds = new Set(rules.map(({ id }) => id))
  const answered = new Set(rules.map(({ version }) => version?.toUpperCase()))
  const unknownIds = [...ids].filter((id) => !knownIds.has(id))
  const unknownRequirements = [...requirements].filter((id) => !answered.has(id))
  return {
    rules,
    missing: [
      ...unknownIds.map((id) => missingObstacle(id, `The component has no rule with the id ${id}`)),
      ...unknownRequirements.map((id) => missingObstacle(id, `The component has no other rule for ${id}`)),
    ],
  }
}

function missingObstacle(id: number | string, message: string): LinkObstacle {
  return { id, displayed_name: null, reason: 'not_found', message }
}

function obstaclesOf(child: AuthoredRule, parent: AuthoredRule): readonly LinkObstacle[] {
  const displayed_name = displayedName(child.prefix, child.number)
  const obstacle = (reason: LinkObstacle['reason'], message: string): readonly LinkObstacle[] => [
    { id: child.id, displayed_name, reason, message },
  ]
  const impossible = obstacleOf({ child, parent })
  if (impossible !== null) return obstacle('impossible', impossible)
  if (child.locked === 1) return obstacle('locked', `${displayed_name} is locked`)
  const isSectionLocked = STATUS_COLUMNS.some((column) => isLockedFor(child, column))
  return isSectionLocked ? obstacle('section_locked', `${displayed_name} is locked in a section that changes`) : []
}

async function linkChildren(writer: Writer, children: readonly AuthoredRule[], parent: AuthoredRule): Promise<void> {
  const before = await formerStatuses(writer, children)
  const links = children.map(({ id, status }) => ({
    rule_id: id,
    satisfied_by_rule_id: parent.id,
    previous_status: before.get(id) ?? status,
  }))
  await insertLinks(writer, links)
}

/** Rules that already have links keep the status from before the first link. */
async function formerStatuses(
  writer: Writer,
  children: readonly AuthoredRule[],
): Promise<ReadonlyMap<number, string | null>> {
  const linked = children.filter(({ satisfiedBy }) => satisfiedBy.length > 0).map(({ id }) => id)
  if (linked.length === 0) return new Map()
  const rows = await writer
    .selectFrom('rule_satisfactions')
    .select(['rule_id', 'previous_status'])
    .where('rule_id', 'in', linked)
    .execute()
  return new Map(rows.map(({ rule_id, previous_status }) => [rule_id, previous_status]))
}

function byNumber(a: Pick<LinkedRule, 'number' | 'id'>, b: Pick<LinkedRule, 'number' | 'id'>): number {
  return a.number - b.number || a.id - b.id
}
