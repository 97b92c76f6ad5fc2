import { actorOf, type Caller } from '../../../http/caller.ts'
import { foldText } from '../../../platform/characters.ts'
import { Refusal } from '../../../platform/errors.ts'
import { writeAudit, type AuditSubject } from '../../activity/audits/writer.ts'
import type { Writer } from '../../database/transaction.ts'
import { insertMembership } from '../memberships/writer.ts'
import { requireProject, type Project } from './reader.ts'
import type { NewProject, ProjectChanges } from './schemas.ts'

const SLACK_KEY = 'Slack Channel ID'

/** Adds a project; the creator becomes its first administrator. */
export async function insertProject(writer: Writer, project: NewProject, caller: Caller): Promise<number> {
  const now = new Date().toISOString()
  const described = {
    ...describeProject(project.name, project.description ?? null),
    visibility: project.visibility ?? 'hidden',
  }
  const metadata = withSlackChannel(project.project_metadata_attributes?.data ?? {}, project)
  const { id } = await writer
    .insertInto('projects')
    .values({
      ...described,
      metadata: JSON.stringify(metadata),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { name, description, visibility } = described
  await writeAudit(writer, actorOf(caller), {
    action: 'create',
    subject: subjectOf({ id, name }),
    after: { name, description, visibility, metadata },
  })
  await insertMembership(writer, { userId: caller.id, projectId: id, role: 'admin' }, actorOf(caller))
  return id
}

/**
 * Changes a project, and returns its new version. Refuses the edit, with the current state, if the editor has seen an
 * older version.
 */
export async function updateProject(
  writer: Writer,
  id: number,
  { changes, expectedVersion, caller }: { changes: ProjectChanges; expectedVersion: number | null; caller: Caller },
): Promise<number> {
  await writer.lock('project', id)
  const before = await requireProject(writer, id)
  if (expectedVersion !== null && expectedVersion !== before.lock_version) throw refuseConflict(before)
  const after = merge(before, changes)
  const lock_version = before.lock_version + 1
  await writer
    .updateTable('projects')
    .set({
      ...describeProject(after.name, after.description),
      visibility: after.visibility,
      metadata: JSON.stringify(after.metadata),
      lock_version,
      updated_at: new Date().toISOString(),
    })
    .where('id', '=', id)
    .execute()
  await writeAudit(writer, actorOf(caller), {
    action: 'update',
    subject: subjectOf(before),
    before: fieldsOf(before),
    after: fieldsOf(after),
  })
  return lock_version
}

/** Removes a project with all its records. */
export async function deleteProject(writer: Writer, id: number, caller: Caller): Promise<void> {
  await writer.lock('project', id)
  const before = await requireProject(writer, id)
  await writer.deleteFrom('projects').where('id', '=', id).execute()
  await writeAudit(writer, actorOf(caller), {
    action: 'destroy',
    subject: subjectOf(before),
    before: fieldsOf(before),
  })
}

type EditableFields = Pick<Project, 'name' | 'description' | 'visibility' | 'metadata'>

function merge(before: Project, changes: ProjectChanges): EditableFields {
  const metadata = changes.project_metadata_attributes?.data ?? before.metadata
  return {
    name: changes.name ?? before.name,
    description: changes.description === undefined ? before.description : changes.description,
    visibility: changes.visibility ?? before.visibility,
    metadata: withSlackChannel(metadata, changes),
  }
}

function fieldsOf({ name, description, visibility, metadata }: EditableFields): EditableFields {
  return { name, description, visibility, metadata }
}

function withSlackChannel(
  metadata: Readonly<Record<string, string>>,
  { slack_channel_id }: { readonly slack_channel_id?: string | null | undefined },
): Readonly<Record<string, string>> {
  return slack_channel_id == null ? metadata : { ...metadata, [SLACK_KEY]: slack_channel_id }
}

function describeProject(
  name: string,
  description: string | null,
): Record<'name' | 'name_key', string> & Record<'description' | 'description_key', string | null> {
  const description_key = description === null ? null : foldText(description)
  return { name, name_key: foldText(name), description, description_key }
}

function subjectOf({ id, name }: { readonly id: number; readonly name: string }): AuditSubject {
  return { type: 'Project', id, name, projectId: id }
}

function refuseConflict(current: Project): Refusal {
  return new Refusal(
    'edit_conflict',
    'Somebody else has changed the project since you opened it. Look at the current version, then edit again.',
    { current },
  )
}
