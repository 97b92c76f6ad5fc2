import { actorOf } from '../../../http/caller.ts'
import { refuseValues, type FieldError } from '../../../http/toast.ts'
import { foldText } from '../../../platform/characters.ts'
import { Refusal } from '../../../platform/errors.ts'
import { changesBetween, writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import type { ClosedReason, CommentPhase } from '../../database/schema/components.ts'
import type { Writer } from '../../database/transaction.ts'
import { requireComponentRole, type ComponentGrant } from '../access/component-access.ts'
import type { ComponentChanges } from '../component-creation/bodies.ts'
import { changeQuestions } from '../component-creation/questions.ts'
import { SLACK_KEY, withSlackChannel } from '../components/metadata.ts'
import { requireRecord } from '../components/reader.ts'
import { componentSubject } from '../components/record.ts'
import { requireReleasable } from '../components/releasable.ts'
import type { ComponentRecord, Question } from '../components/schemas.ts'

/** Title of the toast when a change is refused. */
export const NOT_UPDATED = 'Could not update component.'

interface ComponentEdit {
  readonly changes: ComponentChanges
  /** The version that the editor has seen. */
  readonly expectedVersion: number | null
  readonly grant: ComponentGrant
}

/**
 * Changes a component, and returns its new version. Refuses the edit (`edit_conflict`), with the current state, if the
 * editor has seen an older version or the component was released meanwhile.
 */
export async function updateComponent(
  writer: Writer,
  { changes, expectedVersion, grant }: ComponentEdit,
): Promise<number> {
  const { componentId } = grant
  await writer.lock('component', componentId)
  const before = await requireRecord(writer, componentId)
  const isStale = expectedVersion !== null && expectedVersion !== before.lock_version
  if (isStale || before.released !== grant.released) throw refuseConflict(before)
  const after = merge(before, changes)
  await requireAdminFor(writer, grant, { before, after })
  const errors = faultsOf({ before, after, changes })
  if (errors.length > 0) throw refuseValues(NOT_UPDATED, errors)
  const releasing = after.released && !before.released
  if (releasing) await requireReleasable(writer, componentId, NOT_UPDATED)
  if (changes.additional_questions_attributes !== undefined)
    await changeQuestions(writer, componentId, {
      changes: changes.additional_questions_attributes,
      failure: NOT_UPDATED,
    })
  return save(writer, { grant, before, after, releasing })
}

/** The fields of a component that can be changed, without its questions. */
interface EditableFields extends Pick<
  ComponentRecord,
  'name' | 'prefix' | 'title' | 'description' | 'version' | 'release' | 'released'
> {
  readonly admin_name: string | null
  readonly admin_email: string | null
  readonly advanced_fields: boolean
  readonly comment_phase: CommentPhase
  readonly closed_reason: ClosedReason | null
  readonly comment_period_starts_at: string | null
  readonly comment_period_ends_at: string | null
  readonly metadata: Readonly<Record<string, string>>
}

function merge(before: ComponentRecord, changes: ComponentChanges): EditableFields {
  const comment_phase = changes.comment_phase ?? before.comment_phase
  const metadata = changes.component_metadata_attributes?.data ?? before.metadata
  // An open phase has no reason for closing.
  const reason = comment_phase === 'open' ? null : before.closed_reason
  return {
    name: changes.name ?? before.name,
    prefix: changes.prefix ?? before.prefix,
    title: changes.title ?? before.title,
    description: valueOr(changes.description, before.description),
    version: valueOr(changes.version, before.version),
    release: valueOr(changes.release, before.release),
    released: changes.released ?? before.released,
    admin_name: valueOr(changes.admin_name, before.admin_name),
    admin_email: valueOr(changes.admin_email, before.admin_email),
    advanced_fields: changes.advanced_fields ?? before.advanced_fields,
    comment_phase,
    closed_reason: valueOr(changes.closed_reason, reason),
    comment_period_starts_at: valueOr(changes.comment_period_starts_at, before.comment_period_starts_at),
    comment_period_ends_at: valueOr(changes.comment_period_ends_at, before.comment_period_ends_at),
    metadata: withSlackChannel(metadata, changes.slack_channel_id),
  }
}

/** Keeps the old value for undefined, but not for null. */
function valueOr<T>(value: T | undefined, before: T): T {
  // oxlint-disable-next-line typescript/prefer-nullish-coalescing -- null is a value here
  return value === undefined ? before : value
}

interface ComponentStates {
  readonly before: ComponentRecord
  readonly after: EditableFields
}

/** Only administrators of the component may change some fields, but everybody may send them unchanged. */
async function requireAdminFor(
  writer: Writer,
  { caller, componentId }: ComponentGrant,
  { before, after }: ComponentStates,
): Promise<void> {
  const slack = after.metadata[SLACK_KEY] ?? ''
  const isNew = slack.trim() !== '' && slack !== before.metadata[SLACK_KEY]
  if (!isNew && after.advanced_fields === before.advanced_fields) return
  await requireComponentRole(writer, caller, { componentId, least: 'admin' })
}

function faultsOf({
  before,
  after,
  changes,
}: ComponentStates & { readonly changes: ComponentChanges }): readonly FieldError[] {
  const { document_type } = before
  const { closed_reason, comment_phase } = after
  const { comment_period_starts_at: starts, comment_period_ends_at: ends } = after
  const faults: readonly (readonly [boolean, string, string])[] = [
    [
      changes.document_type !== undefined && changes.document_type !== document_type,
      'document_type',
      'Document type cannot be changed',
    ],
    [before.released && !after.released, 'released', 'The release of a component cannot be undone'],
    [
      document_type === 'srg' && after.released && !before.released,
      'released',
      'An SRG is released with POST /components/{id}/release',
    ],
    [
      closed_reason !== null && comment_phase === 'open',
      'closed_reason',
      'Closed reason can only be given while the comment phase is closed',
    ],
    [
      starts !== null && ends !== null && starts > ends,
      'comment_period_ends_at',
      'The comment period ends before it starts',
    ],
    [lacksName(before, after, 'version'), 'version', "Version can't be blank"],
    [lacksName(before, after, 'release'), 'release', "Release can't be blank"],
  ]
  return faults.flatMap(([isFault, field, message]) => (isFault ? [{ field, message }] : []))
}

/** A release needs both. A component that was released without them can still be changed. */
function lacksName(before: ComponentRecord, after: EditableFields, field: 'version' | 'release'): boolean {
  return after.released && after[field] === null && !(before.released && before[field] === null)
}

async function save(
  writer: Writer,
  { grant, before, after, releasing }: ComponentStates & { grant: ComponentGrant; releasing: boolean },
): Promise<number> {
  const { componentId } = grant
  const { additional_questions } = await requireRecord(writer, componentId)
  const auditedBefore = { ...fieldsOf(before), additional_questions: describeQuestions(before.additional_questions) }
  const auditedAfter = { ...fieldsOf(after), additional_questions: describeQuestions(additional_questions) }
  const changed = changesBetween(auditedBefore, auditedAfter).map(({ field }) => field)
  if (changed.length === 0) return before.lock_version
  const lock_version = before.lock_version + 1
  const now = new Date().toISOString()
  const { released, advanced_fields, metadata, ...columns } = after
  await writer
    .updateTable('components')
    .set({
      ...columns,
      name_key: foldText(after.name),
      released: released ? 1 : 0,
      ...(releasing && { released_at: now }),
      advanced_fields: advanced_fields ? 1 : 0,
      metadata: JSON.stringify(metadata),
      lock_version,
      updated_at: now,
    })
    .where('id', '=', componentId)
    .execute()
  const actor = actorOf(grant.caller)
  const subject = componentSubject({ ...before, name: after.name })
  await writeAudit(writer, actor, { action: 'update', subject, before: auditedBefore, after: auditedAfter })
  await recordChange(writer, { grant, after, changed, releasing })
  return lock_version
}

interface ReportedChange {
  readonly grant: ComponentGrant
  readonly after: EditableFields
  readonly changed: readonly string[]
  readonly releasing: boolean
}

async function recordChange(writer: Writer, { grant, after, changed, releasing }: ReportedChange): Promise<void> {
  const { projectId, componentId, caller, documentType: document_type } = grant
  const { name, prefix, version, release, released, comment_phase, closed_reason } = after
  const data = { component_id: componentId, name, prefix, document_type }
  const location = { projectId, componentId }
  const phase = { comment_phase, closed_reason }
  await recordEvents(writer, actorOf(caller), [
    { kind: 'component.updated', ...location, data: { ...data, released, ...phase, changed } },
    ...(releasing ? [{ kind: 'component.released' as const, ...location, data: { ...data, version, release } }] : []),
  ])
}

function fieldsOf(component: EditableFields): EditableFields {
  const { name, prefix, title, description, version, release, released, metadata } = component
  const { admin_name, admin_email, advanced_fields, comment_phase, closed_reason } = component
  const { comment_period_starts_at, comment_period_ends_at } = component
  return {
    name,
    prefix,
    title,
    description,
    version,
    release,
    released,
    metadata,
    admin_name,
    admin_email,
    advanced_fields,
    comment_phase,
    closed_reason,
    comment_period_starts_at,
    comment_period_ends_at,
  }
}

/** Questions by name, for the audit trail. */
function describeQuestions(questions: readonly Question[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    questions.map(({ name, question_type, options }) => [name, [question_type, ...options].join(', ')]),
  )
}

/** The refusal contains the current state. */
export function refuseConflict(current: ComponentRecord): Refusal {
  return new Refusal(
    'edit_conflict',
    'Somebody else has changed the component since you opened it. Look at the current version, then edit again.',
    { current },
  )
}
