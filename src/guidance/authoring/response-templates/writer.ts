import type { Selectable } from 'kysely'
import { actorOf, type Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { foldText } from '../../../platform/characters.ts'
import { writeAudit, type AuditSubject } from '../../activity/audits/writer.ts'
import type { TriageResponseTemplatesTable } from '../../database/schema/reviews.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import type { Template, TemplateChanges } from './schemas.ts'

interface ProjectCaller {
  readonly caller: Caller
  readonly projectId: number
}

type TemplateRow = Selectable<TriageResponseTemplatesTable>

/** The number of templates in one project. */
const MAX_TEMPLATES = 500

export const NOT_CREATED = 'Could not create response template.'
export const NOT_UPDATED = 'Could not update response template.'

/** The templates of a project by name. */
export async function findTemplates(reader: Reader, projectId: number): Promise<Template[]> {
  const rows = await reader
    .selectFrom('triage_response_templates')
    .select(['id', 'name', 'body', 'created_by_id', 'created_at'])
    .where('project_id', '=', projectId)
    .orderBy('name_key')
    .orderBy('id')
    .execute()
  return rows
}

/** Adds a template. 422 if the project has one with this name, ignoring case. */
export async function insertTemplate(
  writer: Writer,
  { caller, projectId }: ProjectCaller,
  { name, body }: { readonly name: string; readonly body: string },
): Promise<Template> {
  await writer.lock('project', projectId)
  await requireRoom(writer, projectId)
  await requireFreeName(writer, { projectId, name, id: 0 }, NOT_CREATED)
  const now = new Date().toISOString()
  const created = await writer
    .insertInto('triage_response_templates')
    .values({
      project_id: projectId,
      name,
      name_key: foldText(name),
      body,
      created_by_id: caller.id,
      created_at: now,
      updated_at: now,
    })
    .returning(['id', 'name', 'body', 'created_by_id', 'created_at'])
    .executeTakeFirstOrThrow()
  const subject = subjectOf({ ...created, project_id: projectId })
  await writeAudit(writer, actorOf(caller), { action: 'create', subject, after: { name, body } })
  return created
}

export async function updateTemplate(
  writer: Writer,
  { caller, projectId, id }: ProjectCaller & { readonly id: number },
  changes: TemplateChanges,
): Promise<Template> {
  await writer.lock('project', projectId)
  const before = await requireTemplate(writer, projectId, id)
  const { name = before.name, body = before.body } = changes
  await requireFreeName(writer, { projectId, name, id }, NOT_UPDATED)
  await writer
    .updateTable('triage_response_templates')
    .set({ name, name_key: foldText(name), body, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
  await writeAudit(writer, actorOf(caller), {
    action: 'update',
    subject: subjectOf(before),
    after: { name, body },
    before: { name: before.name, body: before.body },
  })
  const { created_by_id, created_at } = before
  return { id, name, body, created_by_id, created_at }
}

export async function deleteTemplate(
  writer: Writer,
  { caller, projectId, id }: ProjectCaller & { readonly id: number },
): Promise<void> {
  await writer.lock('project', projectId)
  const before = await requireTemplate(writer, projectId, id)
  await writer.deleteFrom('triage_response_templates').where('id', '=', id).execute()
  const { name, body } = before
  await writeAudit(writer, actorOf(caller), {
    action: 'destroy',
    subject: subjectOf(before),
    before: { name, body },
  })
}

async function requireTemplate(writer: Writer, projectId: number, id: number): Promise<TemplateRow> {
  return writer
    .selectFrom('triage_response_templates')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow(() => notFound())
}

async function requireRoom(writer: Writer, projectId: number): Promise<void> {
  const { count } = await writer
    .selectFrom('triage_response_templates')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (count < MAX_TEMPLATES) return
  const message = `The project has ${MAX_TEMPLATES} templates, the most that it can have`
  throw refuseValues(NOT_CREATED, [{ field: null, message }])
}

async function requireFreeName(
  writer: Writer,
  { projectId, name, id }: { projectId: number; name: string; id: number },
  title: string,
): Promise<void> {
  const other = await writer
    .selectFrom('triage_response_templates')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name_key', '=', foldText(name))
    .where('id', '<>', id)
    .executeTakeFirst()
  if (other !== undefined) throw refuseValues(title, [{ field: 'name', message: 'Name has already been taken' }])
}

function subjectOf({ id, name, project_id: projectId }: Pick<TemplateRow, 'id' | 'name' | 'project_id'>): AuditSubject {
  return { type: 'TriageResponseTemplate', id, name, projectId }
}
