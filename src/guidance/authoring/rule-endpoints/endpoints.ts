import { z } from 'zod'
import type { Access } from '../../../http/access.ts'
import type { Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { seenVersion, versionTag } from '../../../http/if-match.ts'
import { idParams, idValue, optionalText } from '../../../http/input.ts'
import { permissionDenied } from '../../../http/refusals.ts'
import type { RawRequest } from '../../../http/request.ts'
import { confirmation, SAVED_MESSAGE, toast, toastSchema } from '../../../http/toast.ts'
import { findCombinedAudits, type CombinedAudit } from '../../activity/audits/combined-audits.ts'
import { auditSchema, findAudits } from '../../activity/audits/reader.ts'
import type { Database } from '../../database/database.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { findProjectAdmins } from '../../parts/project-access.ts'
import { componentRole, requireComponentRole, ruleRole, type ComponentGrant } from '../access/component-access.ts'
import { findInPortions } from '../components/portions.ts'
import { newRule, ruleEdit } from '../rule-editing/changes.ts'
import { createRule } from '../rule-editing/create.ts'
import { NOT_CREATED } from '../rule-editing/drafts.ts'
import { findEditorRules, requireEditorRule, requireNamedRule } from '../rule-editing/editor.ts'
import { revertRule } from '../rule-editing/revert.ts'
import { NOT_UPDATED, updateRule } from '../rule-editing/writer.ts'
import { removeRule } from '../rule-links/remove.ts'
import { ruleEditor, ruleWithHistory } from '../rules/schemas.ts'
import { ruleBulkEndpoint } from './bulk-endpoints.ts'
import { ruleCcisEndpoint } from './cci-endpoint.ts'
import { ruleFormEndpoint } from './form-endpoint.ts'
import { ruleLinkEndpoints } from './link-endpoints.ts'
import { ruleLockEndpoints } from './lock-endpoints.ts'
import { ruleReplaceEndpoints } from './replace-endpoints.ts'

const TAG = 'Rules'

/** The number of audit entries in the answer for a rule. */
const HISTORY = 50

/** Rules of STIGs and requirements of SRGs. */
export function ruleEndpoints(parts: Parts): readonly Endpoint[] {
  return [
    list(parts),
    show(parts),
    showByName(parts),
    create(parts),
    update(parts),
    remove(parts),
    revert(parts),
    ...ruleLinkEndpoints(parts),
    ...ruleLockEndpoints(parts),
    ...ruleReplaceEndpoints(parts),
    ruleBulkEndpoint(parts),
    ruleFormEndpoint(parts),
    ruleCcisEndpoint(parts),
  ]
}

function list({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/rules',
    operation: 'listRules',
    tag: TAG,
    summary: 'All rules of a component in the editor view, by version and number',
    access: componentRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: z.array(ruleEditor),
    handle: ({ grant: { componentId, caller } }) =>
      findInPortions(database.read, componentId, (condition) => findEditorRules(database.read, condition, caller)),
  })
}

const histories = z
  .enum(['true', 'false', 'folded'])
  .optional()
  .describe(
    'false: an empty list instead of the history, which may be long; folded: one entry for saves by one person that changed the same fields within minutes',
  )

function show({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/rules/{id}',
    operation: 'getRule',
    tag: TAG,
    summary: 'A rule with the newest entries of its history; ETag is its version',
    headers: ['ETag'],
    access: ruleRole(database, 'viewer'),
    input: z.object({ params: idParams, query: z.object({ histories }) }),
    answer: ruleWithHistory,
    handle: ({ grant: { ruleId, caller }, input: { query }, setHeader }) =>
      showRule(database.read, { ruleId, caller, histories: query.histories, setHeader }),
  })
}

function showByName({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/rules/named/{name}',
    operation: 'getNamedRule',
    tag: TAG,
    summary: 'The rule of a component that people know by this id, such as PNGN-01-000003; as /rules/{id}',
    headers: ['ETag'],
    access: componentRole(database, 'viewer'),
    input: z.object({ params: idParams.extend({ name: z.string() }), query: z.object({ histories }) }),
    answer: ruleWithHistory,
    handle: async ({ grant: { componentId, caller }, input: { params, query }, setHeader }) => {
      const ruleId = await requireNamedRule(database.read, componentId, params.name)
      return showRule(database.read, { ruleId, caller, histories: query.histories, setHeader })
    },
  })
}

interface RuleRequest {
  readonly ruleId: number
  readonly caller: Caller
  readonly histories: z.infer<typeof histories>
  readonly setHeader: RawRequest['setHeader']
}

async function showRule(
  reader: Reader,
  { ruleId, caller, histories, setHeader }: RuleRequest,
): Promise<z.infer<typeof ruleWithHistory>> {
  const rule = await requireEditorRule(reader, ruleId, caller)
  setHeader('ETag', versionTag(rule.lock_version))
  return { ...rule, histories: [...(await findHistory(reader, ruleId, histories))] }
}

/** Lists the oldest entry first. */
async function findHistory(
  reader: Reader,
  ruleId: number,
  form: RuleRequest['histories'],
): Promise<readonly CombinedAudit[]> {
  if (form === 'false') return []
  if (form === 'folded') return findCombinedAudits(reader, { type: 'Rule', id: ruleId }, HISTORY)
  const filter = { auditable_type: 'Rule', auditable_id: ruleId }
  const { rows } = await findAudits(reader, { filter, page: 1, perPage: HISTORY })
  return rows.map((row) => auditSchema.parse(row)).reverse()
}

/** Authors may copy rules; other new rules need an administrator. */
function creator(database: Database): Access<ComponentGrant> {
  return {
    ...componentRole(database, 'author', { unreleased: true }),
    rule: 'component admin, author with duplicate, until it is released; site admin',
  }
}

function create({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/rules',
    operation: 'createRule',
    tag: TAG,
    summary: 'Add a rule with the next number: a copy of another one, or a blank one',
    access: creator(database),
    failure: NOT_CREATED,
    input: z.object({ params: idParams, body: z.object({ rule: newRule }) }),
    answer: z.object({ toast: toastSchema, data: ruleEditor }),
    handle: async ({ grant: { caller, componentId, role, projectId }, input: { body } }) => {
      const least = body.rule.duplicate === true ? 'author' : 'admin'
      if (least === 'admin' && role !== 'admin')
        throw permissionDenied(
          'Only an administrator may add a blank rule; an author may duplicate one.',
          await findProjectAdmins(database.read, projectId),
        )
      const data = await database.transact(async (writer) => {
        await writer.lock('component', componentId)
        const grant = await requireComponentRole(writer, caller, { componentId, least, unreleased: true })
        const id = await createRule(writer, grant, body.rule)
        return requireEditorRule(writer, id, caller)
      })
      return { ...toast('Control created.', `Its number is ${data.rule_id}.`), data }
    },
  })
}

function update({ database }: Parts): Endpoint {
  return endpoint({
    method: ['put', 'patch'],
    path: '/rules/{id}',
    operation: 'updateRule',
    tag: TAG,
    summary: 'Change a rule; refused if it is locked or, with lock_version or If-Match, has changed since',
    headers: ['ETag'],
    access: ruleRole(database, 'author', { unreleased: true }),
    failure: NOT_UPDATED,
    input: z.object({ params: idParams, body: z.object({ rule: ruleEdit }) }),
    answer: confirmation,
    handle: async ({ grant: { caller, ruleId }, input: { body }, header, setHeader }) => {
      const { lock_version, audit_comment: comment = null, ...changes } = body.rule
      const expectedVersion = lock_version ?? seenVersion(header('If-Match'))
      const { lockVersion } = await database.transact((writer) =>
        updateRule(writer, { ruleId, changes, expectedVersion, caller, comment }),
      )
      setHeader('ETag', versionTag(lockVersion))
      return { ...toast('Control updated.', SAVED_MESSAGE), lock_version: lockVersion }
    },
  })
}

function remove({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/rules/{id}',
    operation: 'deleteRule',
    tag: TAG,
    summary: 'Remove a rule with its reviews, answers and links',
    refusals: ['rule_locked'],
    access: ruleRole(database, 'admin', { unreleased: true }),
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller, ruleId } }) => {
      const { locked, review_requestor_id } = await database.transact((writer) =>
        removeRule(writer, { ruleId, caller }),
      )
      const notes: readonly string[] = [
        ...(locked === 1 ? ['It was locked.'] : []),
        ...(review_requestor_id === null ? [] : ['It was under review.']),
      ]
      const removalNote = 'Its reviews, answers and links were removed too.'
      const confirmation = toast('Control deleted.', [...notes, removalNote].join(' '))
      return notes.length === 0 ? confirmation : { toast: { ...confirmation.toast, variant: 'warning' as const } }
    },
  })
}

const revertBody = z.object({
  audit_id: idValue,
  fields: z
    .array(z.string().max(255), 'Fields must be a list of names')
    .min(1, "Fields can't be blank")
    .max(100, 'There are more than 100 fields'),
  audit_comment: optionalText('Audit comment', { max: 4096 }).optional(),
})

function revert({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/rules/{id}/revert',
    operation: 'revertRule',
    tag: TAG,
    summary: 'Restore fields of a rule to their values before an entry of its history',
    refusals: ['rule_locked'],
    access: ruleRole(database, 'author', { unreleased: true }),
    failure: 'Could not revert history.',
    input: z.object({ params: idParams, body: revertBody }),
    answer: confirmation,
    handle: async ({ grant: { caller, ruleId }, input: { body }, setHeader }) => {
      const { audit_id: auditId, fields, audit_comment: comment = null } = body
      const { lockVersion } = await database.transact((writer) =>
        revertRule(writer, { ruleId, auditId, fields, caller, comment }),
      )
      setHeader('ETag', versionTag(lockVersion))
      return {
        ...toast('History reverted.', `Restored: ${fields.join(', ')}.`),
        lock_version: lockVersion,
      }
    },
  })
}
