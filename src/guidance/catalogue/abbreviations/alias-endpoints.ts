import { z } from 'zod'
import { compareCodeUnits } from '../../../graph/term.ts'
import { signedIn, siteAdmin } from '../../../http/access.ts'
import { actorOf, type Actor } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, NO_INPUT, notFound, requiredText } from '../../../http/input.ts'
import { confirmation, refuseValues, toast, toastSchema } from '../../../http/toast.ts'
import { writeAudit, type AuditSubject } from '../../activity/audits/writer.ts'
import type { Writer } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { shortId } from '../xccdf/id.ts'

const TAG = 'Catalogue'
const FAILURE_MESSAGE = 'Could not add the alias.'

/**
 * Endpoints for the former benchmark ids of products. They connect releases that were published under different ids.
 */
export function aliasEndpoints(parts: Parts): readonly Endpoint[] {
  return [listAliases(parts), addAlias(parts), deleteAlias(parts)]
}

const alias = z.object({ id: z.int(), alias: z.string(), benchmark_id: z.string() })

function listAliases({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/benchmark_aliases',
    operation: 'listAliases',
    tag: TAG,
    summary: 'Aliases: benchmark ids that count as another one',
    access: signedIn,
    input: NO_INPUT,
    answer: z.object({ rows: z.array(alias) }),
    handle: async () => {
      const rows = await database.read.selectFrom('benchmark_aliases').select(['id', 'alias', 'benchmark_id']).execute()
      return { rows: rows.sort((a, b) => compareCodeUnits(a.alias, b.alias)) }
    },
  })
}

const benchmarkId = (label: string): z.ZodType<string> =>
  requiredText(label, { max: 255 }).transform((id) => shortId('benchmark', id))

const newAlias = z.object({
  alias: benchmarkId('Alias'),
  benchmark_id: benchmarkId('Benchmark'),
})

function addAlias({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/benchmark_aliases',
    operation: 'addAlias',
    tag: TAG,
    summary: 'Add an alias: releases of one benchmark id count as releases of another',
    access: siteAdmin,
    failure: FAILURE_MESSAGE,
    input: z.object({ body: z.object({ benchmark_alias: newAlias }) }),
    answer: z.object({ toast: toastSchema, benchmark_alias: alias }),
    handle: async ({ grant: { caller }, input: { body } }) => {
      const added = await database.transact((writer) => insertAlias(writer, body.benchmark_alias, actorOf(caller)))
      const message = `Releases of ${added.alias} now count as releases of ${added.benchmark_id}.`
      return { ...toast('Alias added.', message), benchmark_alias: added }
    },
  })
}

/** The target of an alias is never an alias itself, so one look-up is enough. */
async function insertAlias(
  writer: Writer,
  { alias: name, benchmark_id }: z.infer<typeof newAlias>,
  actor: Actor,
): Promise<z.infer<typeof alias>> {
  await writer.lock('benchmarks', 0)
  const aliases = await writer.selectFrom('benchmark_aliases').select(['alias', 'benchmark_id']).execute()
  if (aliases.some((existing) => existing.alias === name)) throw refuse('alias', 'Alias already exists')
  const target = aliases.find((existing) => existing.alias === benchmark_id)?.benchmark_id ?? benchmark_id
  if (target === name) throw refuse('benchmark_id', 'Benchmark would be an alias of itself')
  await writer.updateTable('benchmark_aliases').set({ benchmark_id: target }).where('benchmark_id', '=', name).execute()
  const { id } = await writer
    .insertInto('benchmark_aliases')
    .values({ alias: name, benchmark_id: target, created_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const subject = subjectOf({ id, alias: name })
  await writeAudit(writer, actor, { action: 'create', subject, after: { benchmark_id: target } })
  return { id, alias: name, benchmark_id: target }
}

function refuse(field: string, message: string): Error {
  return refuseValues(FAILURE_MESSAGE, [{ field, message }])
}

function deleteAlias({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/api/benchmark_aliases/{id}',
    operation: 'deleteAlias',
    tag: TAG,
    summary: 'Remove an alias: releases of the benchmark id are separate again',
    access: siteAdmin,
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params } }) => {
      await database.transact(async (writer) => {
        await writer.lock('benchmarks', 0)
        const row = await writer
          .selectFrom('benchmark_aliases')
          .select(['id', 'alias', 'benchmark_id'])
          .where('id', '=', params.id)
          .executeTakeFirstOrThrow(() => notFound())
        await writer.deleteFrom('benchmark_aliases').where('id', '=', row.id).execute()
        const before = { benchmark_id: row.benchmark_id }
        const subject = subjectOf(row)
        await writeAudit(writer, actorOf(caller), { action: 'destroy', subject, before })
      })
      return toast('Alias removed.', 'Its releases are separate again.')
    },
  })
}

function subjectOf(row: { readonly id: number; readonly alias: string }): AuditSubject {
  return { type: 'BenchmarkAlias', id: row.id, name: row.alias }
}
