import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { toast } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import { componentRole, requireComponentRole, type ComponentGrant } from '../../authoring/access/component-access.ts'
import type { Database } from '../../database/database.ts'
import type { Writer } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { applyMerge, refreshPlan, MAX_NAMED, OutdatedPlan, type ApplyResult, type MergeContext } from './apply.ts'
import { createMerge } from './create.ts'
import { decide } from './decisions.ts'
import { appliedSchema, decisionsBody, mergeForm, mergeParams, mergeQuery, mergeSchema } from './schemas.ts'
import { findMerge, requireMerge } from './storing/reader.ts'
import { undoMerge } from './undo.ts'

const TAG = 'Merges'

/** Merges files that were edited elsewhere: plan, decisions, apply, undo. */
export function mergeEndpoints(parts: Parts): readonly Endpoint[] {
  return [create(parts), show(parts), decisions(parts), apply(parts), undo(parts)]
}

const FIRST_PAGE = mergeQuery.parse({})

function create({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/merges',
    operation: 'createMerge',
    tag: TAG,
    summary: 'Plan the merge of a spreadsheet, archive, XCCDF file, checklist or InSpec profile',
    refusals: ['merge_unusable', 'spreadsheet_unusable', 'archive_unusable', 'bad_encoding'],
    access: componentRole(database, 'author', { unreleased: true }),
    upload: true,
    failure: 'Could not merge the file.',
    input: z.object({ params: idParams, body: mergeForm }),
    answer: mergeSchema,
    handle: async ({ grant, upload, input: { body } }) => {
      if (upload === null) throw new Error('There is no file')
      const { base = null, encoding = null } = body
      const id = await createMerge(database, { grant, upload, base, encoding })
      const merge = await requireMerge(database.read, grant.componentId, id)
      return findMerge(database.read, merge, FIRST_PAGE)
    },
  })
}

function show({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/merges/{merge}',
    operation: 'getMerge',
    tag: TAG,
    summary: 'The plan of a merge: the fields that differ, with the decisions on them',
    refusals: ['page_out_of_range'],
    access: componentRole(database, 'author', { unreleased: true }),
    input: z.object({ params: mergeParams, query: mergeQuery }),
    answer: mergeSchema,
    handle: async ({ grant, input: { params, query } }) => {
      const merge = await requireMerge(database.read, grant.componentId, params.merge)
      return findMerge(database.read, merge, query)
    },
  })
}

function decisions({ database }: Parts): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/components/{id}/merges/{merge}/decisions',
    operation: 'decideMerge',
    tag: TAG,
    summary: 'Decide what a merge takes: field by field, for a rule, or for all fields with an outcome',
    access: componentRole(database, 'author', { unreleased: true }),
    failure: 'Could not decide.',
    input: z.object({ params: mergeParams, body: decisionsBody }),
    answer: mergeSchema,
    handle: async ({ grant, input: { params, body } }) => {
      await change(database, { grant, mergeId: params.merge }, async (writer, { merge }) => {
        if (merge.state === 'applied')
          throw new Refusal('edit_conflict', 'The merge has been applied. Undo it first, or merge the file again.')
        await decide(writer, { merge, caller: grant.caller }, body.decisions)
      })
      const merge = await requireMerge(database.read, grant.componentId, params.merge)
      return findMerge(database.read, merge, FIRST_PAGE)
    },
  })
}

function apply({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/merges/{merge}/apply',
    operation: 'applyMerge',
    tag: TAG,
    summary: 'Apply a merge: all of it or nothing; once it is applied, nothing more changes',
    refusals: ['merge_undecided', 'edit_conflict', 'rule_locked'],
    access: componentRole(database, 'author', { unreleased: true }),
    failure: 'Could not merge the file.',
    input: z.object({ params: mergeParams }),
    answer: appliedSchema,
    handle: async ({ grant, input: { params } }) => {
      const target = { grant, mergeId: params.merge }
      try {
        const result = await change(database, target, (writer, context) =>
          context.merge.state === 'applied' ? { rules: [], skipped: [] } : applyMerge(writer, context),
        )
        return shapeApplied(params.merge, result)
      } catch (error) {
        if (!(error instanceof OutdatedPlan)) throw error
        await change(database, target, (writer, { merge }) => refreshPlan(writer, merge))
        throw outdated(error)
      }
    },
  })
}

function shapeApplied(id: number, { rules, skipped }: ApplyResult): z.input<typeof appliedSchema> {
  const locked = skipped.length === 0 ? '' : ` ${skipped.length} fields are locked or inherited and stay as they are.`
  const message = `${rules.length} rules have been changed.${locked}`
  return { ...toast('File merged.', message), id, state: 'applied', rules, skipped }
}

function outdated({ fields }: OutdatedPlan): Refusal {
  const [first] = fields
  const detail =
    `Somebody has changed ${fields.length} fields since they were planned, such as ${first?.displayed_name} ` +
    `${first?.field}. Nothing has been merged; the plan has the current texts now.`
  return new Refusal('edit_conflict', detail, {
    changed: fields.slice(0, MAX_NAMED),
    toast: { title: 'Could not merge the file.', message: detail, variant: 'warning' },
  })
}

function undo({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/merges/{merge}/undo',
    operation: 'undoMerge',
    tag: TAG,
    summary: 'Undo a merge: all of it, or nothing if somebody has changed one of its fields since',
    refusals: ['edit_conflict', 'rule_locked'],
    access: componentRole(database, 'author', { unreleased: true }),
    failure: 'Could not undo the merge.',
    input: z.object({ params: mergeParams }),
    answer: mergeSchema,
    handle: async ({ grant, input: { params } }) => {
      await change(database, { grant, mergeId: params.merge }, async (writer, context) => {
        if (context.merge.state === 'applied') await undoMerge(writer, context)
      })
      const merge = await requireMerge(database.read, grant.componentId, params.merge)
      return findMerge(database.read, merge, FIRST_PAGE)
    },
  })
}

/** Makes a change in a transaction, with the component locked, if the caller is still an author. */
function change<T>(
  database: Database,
  { grant: { caller, componentId }, mergeId }: { readonly grant: ComponentGrant; readonly mergeId: number },
  work: (writer: Writer, context: MergeContext) => Promise<T> | T,
): Promise<T> {
  return database.transact(async (writer) => {
    await writer.lock('component', componentId)
    const grant = await requireComponentRole(writer, caller, { componentId, least: 'author', unreleased: true })
    return work(writer, { grant, merge: await requireMerge(writer, componentId, mergeId) })
  })
}
