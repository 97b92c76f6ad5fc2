import { z } from 'zod'
import type { Problem } from '../../../http/answer/problem.ts'
import type { Actor } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import type { Database } from '../../database/database.ts'
import type { ImportState } from '../../database/schema/imports.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import type { ImportOptions, ImportStep } from './import-file.ts'
import { EMPTY_OUTCOME, outcomeSchema } from './outcome.ts'

const actorSchema = z.object({ id: z.int().nullable(), name: z.string(), via: z.string() })

const optionsSchema = z.object({
  documentType: z.enum(['srg', 'stig']).optional(),
  version: z.string().optional(),
  replace: z.boolean(),
  only: z.literal('reference_data').optional(),
})

const problemSchema = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
})

const recorded = outcomeSchema.extend({ problem: problemSchema.nullable() })

/** An import as clients see it. */
export const jobSchema = recorded.extend({
  id: z.int(),
  file_name: z.string(),
  state: z.enum(['waiting', 'running', 'finished', 'refused', 'failed']),
  done: z.int().meta({ description: 'Number of members of the file that have been processed' }),
  total: z.int().meta({ description: 'Number of members of the file found so far' }),
  created_at: z.string(),
  updated_at: z.string(),
})

export type ImportJob = z.infer<typeof jobSchema>

export interface ImportTask {
  readonly id: number
  readonly spool: string
  readonly options: ImportOptions
  readonly actor: Actor
}

interface NewJob {
  readonly fileName: string
  readonly spool: string
  readonly options: ImportOptions
  readonly actor: Actor
}

/** Records an accepted import. From then on it continues even after a restart. */
export function addJob(database: Database, job: NewJob): Promise<number> {
  const now = new Date().toISOString()
  return database.transact(async (writer) => {
    const { id } = await writer
      .insertInto('imports')
      .values({
        user_id: job.actor.id,
        actor: JSON.stringify(job.actor),
        file_name: job.fileName,
        spool: job.spool,
        options: JSON.stringify(job.options),
        state: 'waiting',
        done: 0,
        total: 0,
        outcome: JSON.stringify({ ...EMPTY_OUTCOME, problem: null }),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

export async function findJob(reader: Reader, id: number): Promise<ImportJob> {
  const row = await reader
    .selectFrom('imports')
    .select(['id', 'file_name', 'state', 'done', 'total', 'outcome', 'created_at', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
  const { outcome, ...fields } = row
  return { ...fields, ...recorded.parse(JSON.parse(outcome)) }
}

/** Accepted imports that have not ended, oldest first. */
export async function findTasks(reader: Reader): Promise<readonly ImportTask[]> {
  const rows = await reader
    .selectFrom('imports')
    .select(['id', 'spool', 'options', 'actor'])
    .where('state', 'in', ['waiting', 'running'])
    .orderBy('id')
    .execute()
  return rows.map(({ id, spool, options, actor }) => ({
    id,
    spool: spool ?? '',
    options: optionsSchema.parse(JSON.parse(options)),
    actor: actorSchema.parse(JSON.parse(actor)),
  }))
}

/** Stores the result of one member, in the transaction that stores the member. */
export async function recordStep(writer: Writer, id: number, { done, total, result }: ImportStep): Promise<void> {
  const before = await findJob(writer, id)
  const { problem, ...outcome } = recorded.parse(before)
  await update(writer, id, {
    done,
    total,
    outcome: { ...outcome, [result.kind]: [...outcome[result.kind], result.member], problem },
  })
}

/** Records the end of an import, which no longer needs its file. */
export async function endJob(
  database: Database,
  id: number,
  end: { readonly state: ImportState; readonly problem: Problem | null },
): Promise<void> {
  await database.transact(async (writer) => {
    const before = recorded.parse(await findJob(writer, id))
    const outcome = { ...before, problem: problemSchema.nullable().parse(end.problem) }
    await update(writer, id, { outcome, state: end.state, spool: null })
  })
}

interface JobUpdate {
  readonly outcome: z.infer<typeof recorded>
  readonly done?: number
  readonly total?: number
  readonly state?: ImportState
  readonly spool?: null
}

async function update(writer: Writer, id: number, { outcome, ...fields }: JobUpdate): Promise<void> {
  const updated_at = new Date().toISOString()
  await writer
    .updateTable('imports')
    .set({ state: 'running', ...fields, outcome: JSON.stringify(outcome), updated_at })
    .where('id', '=', id)
    .execute()
}
