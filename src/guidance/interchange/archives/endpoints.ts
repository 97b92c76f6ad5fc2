import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, optionalText, requiredText } from '../../../http/input.ts'
import { refuseValues, toast, toastSchema } from '../../../http/toast.ts'
import type { Upload } from '../../../http/upload.ts'
import { Refusal } from '../../../platform/errors.ts'
import { scannerOf } from '../../authoring/attachments/scan.ts'
import { mayAddOnlyKnown } from '../../authoring/memberships/known-people.ts'
import { projectCreator } from '../../authoring/projects/endpoints.ts'
import { insertProject } from '../../authoring/projects/writer.ts'
import type { Parts } from '../../parts/parts.ts'
import { projectRole, requireProjectRole } from '../../parts/project-access.ts'
import type { Archive } from './format/archive.ts'
import { readArchive } from './format/read-in-thread.ts'
import { importArchive, NOT_IMPORTED, prepareImport, tryImport } from './importing/import.ts'
import type { ImportChoice } from './importing/plan.ts'
import { summarySchema, type ImportReport, type Summary } from './importing/summary.ts'

const TAG = 'Archives'

/** Imports of projects from JSON archives. */
export function archiveEndpoints(parts: Parts): readonly Endpoint[] {
  return [importBackup(parts), createFromBackup(parts)]
}

const flag = (name: string, fallback: boolean): z.ZodType<boolean, string | undefined> =>
  z
    .enum(['true', 'false', '1', '0'], `${name} must be true or false`)
    .optional()
    .transform((text) => (text === undefined ? fallback : text === 'true' || text === '1'))
    .meta({ type: 'string', 'x-default': String(fallback) })

const filter = z.record(requiredText('Component name', { max: 255 }), requiredText('Component name', { max: 255 }))

const options = {
  dry_run: flag('Dry run', false),
  include_reviews: flag('Include reviews', true),
  include_memberships: flag('Include memberships', false),
  component_filter: z
    .string()
    .optional()
    .meta({ description: 'JSON object: names of components to import, each with its new name' }),
}

type ArchiveOptions = z.output<z.ZodObject<typeof options>>

const warnings = z.array(z.string())

function importBackup(parts: Parts): Endpoint {
  const { database, settings } = parts
  return endpoint({
    method: 'post',
    path: '/projects/{id}/import_backup',
    operation: 'importBackup',
    tag: TAG,
    summary: 'Import the components of a JSON archive into a project, all or none',
    refusals: ['archive_unusable', 'bad_zip', 'attachment_infected', 'scan_unavailable'],
    access: projectRole(database, 'admin'),
    failure: NOT_IMPORTED,
    upload: true,
    limited: 'uploads',
    input: z.object({ params: idParams, body: z.object(options) }),
    answer: z.object({ toast: toastSchema, summary: summarySchema, warnings }),
    handle: async ({ grant, upload, input: { body } }) => {
      const { caller, projectId } = grant
      const choice = choiceOf(body)
      const opened = await openArchive(upload, caller)
      const importRequest = {
        ...choice,
        projectId,
        caller,
        bounded: mayAddOnlyKnown(settings, caller),
        scanner: scannerOf(parts),
      }
      if (body.dry_run) {
        const preview = shapeReport(await tryImport(database.read, opened, importRequest))
        return { ...preview, ...toast('The archive can be imported.', describeReport(preview)) }
      }
      const source = await prepareImport(database.read, opened, importRequest)
      const imported = await importArchive(database, { ...importRequest, source }, async (writer) => {
        await writer.lock('project', projectId)
        await requireProjectRole(writer, caller, { projectId, least: 'admin' })
        return projectId
      })
      return { ...shapeReport(imported), ...toast(titleOf(imported.summary), describeReport(shapeReport(imported))) }
    },
  })
}

const creation = z.object({
  ...options,
  project_name: requiredText('Name', { max: 255 }).optional(),
  name: requiredText('Name', { max: 255 })
    .optional()
    .meta({ description: 'Alternative to project_name, which takes precedence' }),
  project_description: optionalText('Description', { max: 5000 }).optional(),
  project_visibility: z
    .enum(['discoverable', 'hidden'], 'Visibility must be discoverable or hidden')
    .optional()
    .meta({ default: 'discoverable' }),
})

const created = z.object({
  redirect_url: z.string().optional(),
  id: z.int().optional(),
  toast: toastSchema.optional(),
  summary: summarySchema,
  warnings,
  project_defaults: z
    .object({
      name: z.string().nullable(),
      description: z.string().nullable(),
      visibility: z.enum(['discoverable', 'hidden']),
    })
    .optional()
    .meta({ description: 'For a dry run: the project as described in the archive' }),
})

function createFromBackup(parts: Parts): Endpoint {
  const { database, settings } = parts
  return endpoint({
    method: 'post',
    path: '/projects/create_from_backup',
    operation: 'createProjectFromBackup',
    tag: TAG,
    summary: 'Create a project from a JSON archive; its creator becomes its administrator',
    refusals: ['archive_unusable', 'bad_zip', 'attachment_infected', 'scan_unavailable'],
    access: projectCreator(parts),
    failure: 'Could not create project.',
    upload: true,
    limited: 'uploads',
    input: z.object({ body: creation }),
    answer: created,
    handle: async ({ grant: { caller }, upload, input: { body } }) => {
      const choice = choiceOf(body)
      const name = body.dry_run ? null : requireName(body)
      const opened = await openArchive(upload, caller)
      const importRequest = {
        ...choice,
        projectId: null,
        caller,
        bounded: mayAddOnlyKnown(settings, caller),
        scanner: scannerOf(parts),
      }
      if (name === null) {
        const preview = shapeReport(await tryImport(database.read, opened, importRequest))
        return { ...preview, project_defaults: defaultsOf(opened.archive) }
      }
      const source = await prepareImport(database.read, opened, importRequest)
      const imported = await importArchive(database, { ...importRequest, source }, async (writer) => {
        const project = projectOf(body, opened.archive)
        const projectId = await insertProject(writer, { name, ...project }, caller)
        await writer.lock('project', projectId)
        return projectId
      })
      const { projectId: id } = imported
      const confirmation = toast('Project created.', describeReport(shapeReport(imported)))
      return { ...shapeReport(imported), ...confirmation, redirect_url: `/projects/${id}`, id }
    },
  })
}

type Creation = z.output<typeof creation>

function requireName({ project_name, name }: Creation): string {
  const projectName = project_name ?? name
  if (projectName !== undefined) return projectName
  throw refuseValues('Could not create project.', [{ field: 'project_name', message: "Name can't be blank" }])
}

/** Uses the archive's description if the request has none. */
function projectOf(
  { project_description: description, project_visibility }: Creation,
  { project }: Archive,
): Omit<Parameters<typeof insertProject>[1], 'name'> {
  const visibility = project_visibility ?? 'discoverable'
  const newDescription = description === undefined ? (project?.description ?? null) : description
  return { description: newDescription, visibility }
}

function defaultsOf({ project }: Archive): {
  readonly name: string | null
  readonly description: string | null
  readonly visibility: 'discoverable' | 'hidden'
} {
  const visibility = project?.visibility ?? 'discoverable'
  return { name: project?.name ?? null, description: project?.description ?? null, visibility }
}

function choiceOf({ component_filter, include_reviews, include_memberships }: ArchiveOptions): ImportChoice {
  return {
    filter: component_filter === undefined ? null : parseFilter(component_filter),
    includeReviews: include_reviews,
    includeMemberships: include_memberships,
  }
}

function parseFilter(text: string): ReadonlyMap<string, string> {
  const parameter = 'component_filter'
  const detail = 'component_filter must be a JSON object of names.'
  try {
    const parsed = filter.safeParse(JSON.parse(text))
    if (parsed.success) return new Map(Object.entries(parsed.data))
  } catch {
    throw new Refusal('parameter_invalid', detail, { parameter })
  }
  throw new Refusal('parameter_invalid', detail, { parameter })
}

/** Adds a toast to refusals of the archive: all refusals of these operations have one. */
async function openArchive(
  upload: Upload | null,
  caller: Caller,
): Promise<{ readonly archive: Archive; readonly path: string }> {
  if (upload === null) throw new Error('There is no file')
  try {
    return { archive: await readArchive(upload, caller), path: upload.path }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const dangerToast = { title: NOT_IMPORTED, message: error.message, variant: 'danger' }
    throw new Refusal(error.code, error.message, { toast: dangerToast, warnings: [] })
  }
}

interface ReportAnswer {
  readonly summary: Summary
  readonly warnings: string[]
}

function shapeReport({ summary, warnings }: ImportReport): ReportAnswer {
  return { summary, warnings: [...warnings] }
}

/** The counts, then one warning on each line. */
function describeReport({ summary, warnings }: ReportAnswer): string {
  const { rules_imported: rules, reviews_imported: reviews } = summary
  return [`${rules} rules, ${reviews} reviews and comments.`, ...warnings].join('\n')
}

function titleOf({ components_imported: count }: Summary): string {
  return count === 1 ? 'Imported 1 component.' : `Imported ${count} components.`
}
