import { actorOf, type Caller } from '../../../http/caller.ts'
import { foldText } from '../../../platform/characters.ts'
import { writeAudit, type AuditSubject } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Writer } from '../../database/transaction.ts'
import type { PublishedSource } from './schemas.ts'

export interface NewRecord {
  readonly projectId: number
  readonly documentType: BenchmarkKind
  /** Begins with the primary SRG. */
  readonly srgIds: readonly number[]
  /** The released component that it is an overlay of. */
  readonly overlaid: number | null
  /** The published STIG from which it was made. */
  readonly publishedSource: PublishedSource | null
  readonly name: string
  readonly prefix: string
  readonly title: string
  readonly description: string | null
  readonly version: number | null
  readonly release: number | null
  /** Null means the creator. */
  readonly admin: { readonly name: string | null; readonly email: string | null } | null
  readonly advancedFields: boolean
  readonly metadata: Readonly<Record<string, string>>
}

/** Adds a component without rules, and returns its id. The project must be locked. */
export async function insertComponent(writer: Writer, record: NewRecord, caller: Caller): Promise<number> {
  const id = await insertComponentRow(writer, record, caller)
  await recordCreation(writer, id, { record, caller })
  return id
}

/** Adds only the row. Nobody is notified of the component before {@link recordCreation}. */
export async function insertComponentRow(
  writer: Writer,
  record: NewRecord,
  caller: Pick<Caller, 'name' | 'email'>,
): Promise<number> {
  const { projectId, documentType, srgIds, name, prefix, title, description } = record
  const { version, release } = record
  const [primary] = srgIds
  if (primary === undefined) throw new Error('A component has at least one SRG')
  const admin = record.admin ?? caller
  const now = new Date().toISOString()
  const { id } = await writer
    .insertInto('components')
    .values({
      name,
      prefix,
      title,
      description,
      version,
      release,
      project_id: projectId,
      document_type: documentType,
      component_id: record.overlaid,
      source_stig_id: record.publishedSource?.stig_id ?? null,
      source_stig_version: record.publishedSource?.version ?? null,
      admin_name: admin.name,
      admin_email: admin.email,
      comment_phase: 'open',
      name_key: foldText(name),
      security_requirements_guide_id: primary,
      advanced_fields: record.advancedFields ? 1 : 0,
      metadata: JSON.stringify(record.metadata),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writer
    .insertInto('component_srgs')
    .values(srgIds.map((benchmark_id, position) => ({ component_id: id, benchmark_id, position })))
    .execute()
  return id
}

/** Adds the audit entry and the event of a new component. */
export async function recordCreation(
  writer: Writer,
  id: number,
  { record, caller }: { readonly record: NewRecord; readonly caller: Caller },
): Promise<void> {
  const { projectId, documentType, name, prefix, title, description, version, release } = record
  const subject = componentSubject({ id, name, project_id: projectId })
  const after = { name, prefix, title, description, version, release, document_type: documentType }
  await writeAudit(writer, actorOf(caller), { action: 'create', subject, after })
  const data = { component_id: id, name, prefix, document_type: documentType }
  await recordEvents(writer, actorOf(caller), [{ kind: 'component.created', projectId, componentId: id, data }])
}

/** Names a component in the audit trail. */
export function componentSubject(component: {
  readonly id: number
  readonly name: string
  readonly project_id: number
}): AuditSubject {
  const { id, name, project_id: projectId } = component
  return { type: 'Component', id, name, projectId, componentId: id }
}
