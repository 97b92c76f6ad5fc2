import type { Caller } from '../../../http/caller.ts'
import { refuseValues } from '../../../http/toast.ts'
import { compareRules } from '../../authoring/component-comparison/differences.ts'
import type { Reader } from '../../database/transaction.ts'
import type { ExportedRule } from '../exports/component/component.ts'
import { readMilestoneComponent, type MilestoneComponent } from './milestone-component.ts'
import { findPrevious, type MilestoneRow } from './reader.ts'

export interface ReachedMilestone extends MilestoneRow {
  readonly reached_at: string
}

/** Refuses a milestone that is not reached yet and has nothing frozen. */
export function requireReached(milestone: MilestoneRow): ReachedMilestone {
  const { reached_at, name } = milestone
  if (reached_at === null)
    throw refuseValues('There is nothing to show.', [{ field: null, message: `${name} has not been reached` }])
  return { ...milestone, reached_at }
}

interface DifferenceRequest {
  readonly componentId: number
  readonly milestone: ReachedMilestone
  readonly caller: Pick<Caller, 'id'>
  /** Selects the rules to compare; by default all. */
  readonly rulesOf?: (rules: readonly ExportedRule[]) => readonly ExportedRule[]
  /** Only changes of these fields count; by default changes of all. */
  readonly fields?: ReadonlySet<string>
}

interface Differences {
  /** The milestone reached before; null if there is none and all rules are new. */
  readonly since: ReachedMilestone | null
  /** The rules that have changed. */
  readonly rules: Awaited<ReturnType<typeof compareRules>>
  readonly unchanged: number
}

/** Compares a reached milestone with the one before. */
export async function findDifferences(
  reader: Reader,
  { rules: after }: MilestoneComponent,
  { componentId, milestone, caller, rulesOf = (rules) => rules, fields }: DifferenceRequest,
): Promise<Differences> {
  const previous = await findPrevious(reader, componentId, milestone)
  const since = previous === null ? null : requireReached(previous)
  const before =
    since === null ? [] : (await readMilestoneComponent(reader, { componentId, milestone: since, caller })).rules
  const compared = await compareRules(rulesOf(before), rulesOf(after))
  const counted = compared.map((rule) => {
    if (rule.status !== 'changed' || fields === undefined) return rule
    const changes = rule.changes.filter(({ field }) => fields.has(field))
    return { ...rule, changes, status: changes.length === 0 ? ('unchanged' as const) : rule.status }
  })
  const rules = counted.filter(({ status }) => status !== 'unchanged')
  return { since, rules, unchanged: counted.length - rules.length }
}
