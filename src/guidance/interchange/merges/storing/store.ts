import { inPortions } from '../../../../platform/concurrency/turns.ts'
import type { Database } from '../../../database/database.ts'
import type { MergesTable } from '../../../database/schema/imports.ts'
import type { Writer } from '../../../database/transaction.ts'
import type { PlannedField, RulePlan } from '../planning/plan.ts'

/** The number of plans to keep for one component. New plans replace the oldest. */
const MAX_MERGES = 20
/** The time during which a plan is kept and can be undone. */
const KEPT_MS = 30 * 86_400_000
/** A plan that is still incomplete after this time was interrupted. */
const ABANDONED_MS = 3_600_000
/** The number of fields in one statement and transaction. Others can save in between. */
const BATCH_SIZE = 50

type PlanColumns = Pick<
  MergesTable,
  'component_id' | 'user_id' | 'file_name' | 'format' | 'base_source' | 'base_until' | 'unchanged' | 'notes'
>

export interface PlanToStore {
  readonly columns: PlanColumns
  readonly rules: readonly { readonly ruleId: number; readonly plan: RulePlan }[]
}

/** Stores a plan in portions, and returns its number. The plan becomes visible once it is complete. */
export async function storePlan(database: Database, { columns, rules }: PlanToStore): Promise<number> {
  const now = new Date().toISOString()
  const id = await database.transact(async (writer) => {
    await writer.lock('component', columns.component_id)
    await removeOldest(writer, columns.component_id)
    const state = { state: 'planning', audits: '[]', created_at: now, updated_at: now } as const
    const row = await writer
      .insertInto('merges')
      .values({ ...columns, ...state })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })
  const fields = rules.flatMap(({ ruleId, plan }) => plan.fields.map((field) => ({ ruleId, field })))
  for await (const portion of inPortions(fields, BATCH_SIZE)) {
    const rows = portion.map(({ ruleId, field }) => rowOf(id, ruleId, field))
    await database.transact((writer) => writer.insertInto('merge_fields').values(rows).execute())
  }
  await database.transact((writer) =>
    writer.updateTable('merges').set({ state: 'open' }).where('id', '=', id).execute(),
  )
  return id
}

function rowOf(mergeId: number, ruleId: number, { base, ours, theirs, ...field }: PlannedField) {
  return {
    ...field,
    merge_id: mergeId,
    rule_id: ruleId,
    base: JSON.stringify(base),
    ours: JSON.stringify(ours),
    theirs: JSON.stringify(theirs),
    take: null,
    text: null,
  }
}

async function removeOldest(writer: Writer, componentId: number): Promise<void> {
  const newest = await writer
    .selectFrom('merges')
    .select('id')
    .where('component_id', '=', componentId)
    .orderBy('id', 'desc')
    .limit(MAX_MERGES - 1)
    .execute()
  await writer
    .deleteFrom('merges')
    .where('component_id', '=', componentId)
    .where('id', 'not in', [0, ...newest.map(({ id }) => id)])
    .execute()
}

/** Removes plans that are old or were interrupted. */
export async function removeOldMerges(database: Database): Promise<void> {
  const before = (ageMs: number): string => new Date(Date.now() - ageMs).toISOString()
  await database.transact((writer) =>
    writer
      .deleteFrom('merges')
      .where((is) =>
        is.or([
          is('created_at', '<', before(KEPT_MS)),
          is.and([is('state', '=', 'planning'), is('created_at', '<', before(ABANDONED_MS))]),
        ]),
      )
      .execute(),
  )
}
