import type { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import type { compareRules } from '../../authoring/component-comparison/differences.ts'
import { countsOf } from '../../catalogue/benchmark-diff/rule-name.ts'
import type { Reader } from '../../database/transaction.ts'
import { findAttachedFiles } from './attached-files.ts'
import { findDifferences, type ReachedMilestone } from './differences.ts'
import { readMilestoneComponent } from './milestone-component.ts'
import { shapeMilestone } from './reader.ts'
import { findReadiness } from './readiness.ts'
import type { detailsSchema } from './schemas.ts'

type Details = z.input<typeof detailsSchema>
type ComparedRule = Awaited<ReturnType<typeof compareRules>>[number]

/** Finds a reached milestone with all its data about the component. */
export async function findDetails(
  reader: Reader,
  request: {
    readonly componentId: number
    readonly milestone: ReachedMilestone
    readonly caller: Pick<Caller, 'id'>
  },
): Promise<Details> {
  const { componentId, milestone } = request
  const frozen = await readMilestoneComponent(reader, request)
  const { since, rules, unchanged } = await findDifferences(reader, frozen, request)
  const files = await findAttachedFiles(reader, componentId, frozen)
  return {
    ...shapeMilestone(milestone),
    since: since === null ? null : { id: since.id, name: since.name, reached_at: since.reached_at },
    counts: { ...countsOf(rules), unchanged },
    rules: rules.flatMap(shapeRule),
    readiness: await findReadiness(reader, milestone.id),
    attachments: files.map(({ rule, name, bytes, sha256, present }) => ({
      rule,
      name,
      bytes,
      sha256,
      kept: present !== null,
    })),
  }
}

/** Leaves out ids, because a frozen rule has another id than the record. */
function shapeRule({ status, before, after, ...rule }: ComparedRule): Details['rules'] {
  return status === 'unchanged' ? [] : [{ ...rule, status, before: nameOf(before), after: nameOf(after) }]
}

function nameOf(rule: ComparedRule['before']): Details['rules'][number]['before'] {
  if (rule === null) return null
  const { rule_id, version, title, severity } = rule
  return { rule_id, version, title, severity }
}
