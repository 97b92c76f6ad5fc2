import { z } from 'zod'
import { type Access, callerAccess, signedIn } from '../../../http/access.ts'
import { DOCUMENT, type Document } from '../../../http/answer/answers.ts'
import { actorOf, type Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, notFound, pathId } from '../../../http/input.ts'
import { AUTHOR_FORMATS, RELEASED_FORMATS } from '../../../tables/export-formats.ts'
import { writeAudit, type AuditSubject } from '../../activity/audits/writer.ts'
import { componentRole, requireComponentRole, type ComponentGrant } from '../../authoring/access/component-access.ts'
import { componentSubject } from '../../authoring/components/record.ts'
import { conditionsOf, statusConditions } from '../../authoring/reviews/records/listing.ts'
import type { Database } from '../../database/database.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { Parts } from '../../parts/parts.ts'
import { hasRole, projectRole, requireProjectRole, type ProjectGrant } from '../../parts/project-access.ts'
import { findHeads } from './files/heads.ts'
import type { ComponentHead, ExportJob } from './files/job.ts'
import {
  bulkQuery,
  componentQuery,
  isPreflight,
  MEDIA_TYPES,
  projectQuery,
  READY,
  requireSupported,
  requireFormat,
  requireMode,
  typeParam,
} from './request.ts'

const TAG = 'Exports'

type ExportParts = Pick<Parts, 'database' | 'version'>

/** Exports of components for other programs. */
export function exportEndpoints(parts: ExportParts): readonly Endpoint[] {
  return [exportComponent(parts), exportProject(parts), exportReleased(parts)]
}

const shared = { method: 'get', tag: TAG, answer: DOCUMENT, mediaTypes: MEDIA_TYPES } as const

const params = z.object({ id, type: typeParam })

function exportComponent({ database, version: program }: ExportParts): Endpoint {
  return endpoint({
    ...shared,
    path: '/components/{id}/export/{type}',
    operation: 'exportComponent',
    summary: 'A component as a file',
    refusals: ['validation_failed'],
    access: componentExport(database),
    input: z.object({ params, query: componentQuery }),
    handle: async ({ grant, input, header }) => {
      const { type } = input.params
      const [component] = await findHeads(database.read, (is) => is('id', '=', input.params.id))
      if (component === undefined) throw notFound()
      const answer = prepareExport({ database, program, role: grant.role, type, query: input.query }, [component], null)
      if (isPreflight(header('Accept'))) return READY
      if (isForAuthors(type)) await audit(database, grant.caller, { type, subject: componentSubject(component) })
      return answer()
    },
  })
}

function exportProject({ database, version: program }: ExportParts): Endpoint {
  return endpoint({
    ...shared,
    path: '/projects/{id}/export/{type}',
    operation: 'exportProject',
    lists: ['component_ids'],
    summary: 'The components of a project, or some of them, as one file',
    refusals: ['validation_failed'],
    access: projectExport(database),
    input: z.object({ params, query: projectQuery }),
    handle: async ({ grant, input: { params, query }, header }) => {
      const { type } = params
      const project = await database.read
        .selectFrom('projects')
        .select('name')
        .where('id', '=', params.id)
        .executeTakeFirstOrThrow(() => notFound())
      const components = await findHeads(database.read, (is) => is('project_id', '=', params.id))
      const chosen = query.component_ids === undefined ? components : selectComponents(components, query.component_ids)
      const answer = prepareExport({ database, program, role: grant.role, type, query }, chosen, project.name)
      if (isPreflight(header('Accept'))) return READY
      const subject = { type: 'Project', id: params.id, name: project.name, projectId: params.id }
      if (isForAuthors(type)) await audit(database, grant.caller, { type, subject })
      return answer()
    },
  })
}

function exportReleased({ database, version: program }: ExportParts): Endpoint {
  return endpoint({
    ...shared,
    path: '/components/bulk_export/{type}',
    operation: 'exportReleased',
    lists: ['component_ids'],
    summary: 'Released components as one file',
    refusals: ['validation_failed'],
    access: signedIn,
    input: z.object({
      params: z.object({ type: z.string().meta({ enum: RELEASED_FORMATS }) }),
      query: bulkQuery,
    }),
    handle: async ({ input: { params, query }, header }) => {
      const format = requireFormat({ type: params.type, version: query.version }, RELEASED_FORMATS)
      const released = await findHeads(database.read, (is) =>
        is.and([is('id', 'in', query.component_ids), is('released', '=', 1)]),
      )
      const components = requireSupported(format, selectComponents(released, query.component_ids))
      const defaultMode = format.modes.find((mode) => mode === 'published_stig')
      const mode = requireMode(format, query.mode ?? defaultMode)
      if (isPreflight(header('Accept'))) return READY
      const groupName = components.length > 1 ? 'components' : null
      const job = { ...NO_COMMENTS, program, reader: database.read, components, groupName, mode, now: new Date() }
      return format.write(job)
    },
  })
}

const NO_COMMENTS = {
  excludeSatisfied: false,
  comments: [],
  withEmail: false,
  includeSrg: false,
  includeMemberships: false,
} as const

interface ExportRequest {
  readonly database: Database
  readonly program: string
  readonly role: Role | null
  readonly type: string
  readonly query: z.output<typeof componentQuery> & { readonly include_memberships?: boolean }
}

/** Checks the whole request, and returns the function that makes the document. */
function prepareExport(
  { database, program, role, type, query }: ExportRequest,
  heads: readonly ComponentHead[],
  groupName: string | null,
): () => Document {
  const format = requireFormat({ type, version: query.version })
  const mode = requireMode(format, query.mode)
  const components = requireSupported(format, heads)
  const { triage_status: status = 'all' } = query
  const job: ExportJob = {
    reader: database.read,
    components,
    groupName,
    mode,
    program,
    now: new Date(),
    includeSrg: query.include_srg,
    includeMemberships: query.include_memberships ?? false,
    excludeSatisfied: query.exclude_satisfied_by,
    comments: [...statusConditions(status), ...conditionsOf(query)],
    withEmail: query.include_email && role !== null && hasRole(role, 'admin'),
  }
  return () => format.write(job)
}

/** Selects the components with these ids, without duplicates. 404 if one is missing. */
function selectComponents(components: readonly ComponentHead[], ids: readonly number[]): readonly ComponentHead[] {
  const byId = new Map(components.map((component) => [component.id, component]))
  return [...new Set(ids)].map((id) => {
    const component = byId.get(id)
    if (component === undefined) throw notFound()
    return component
  })
}

interface AuditedExport {
  readonly type: string
  readonly subject: AuditSubject
}

/** Records exports that only authors may make, for example of comments with the names of their authors. */
async function audit(database: Database, caller: Caller, { type, subject }: AuditedExport): Promise<void> {
  await database.transact((writer) =>
    writeAudit(writer, actorOf(caller), {
      action: 'custom',
      subject,
      comment: `export_${type}`,
    }),
  )
}

function isForAuthors(type: unknown): boolean {
  return AUTHOR_FORMATS.some((format) => format === type)
}

/** Readers of the component may export it, but only authors in some formats. */
function componentExport(database: Database): Access<ComponentGrant> {
  const { rule } = componentRole(database, 'read')
  return callerAccess(`${rule}; ${AUTHOR_FORMATS.join(', ')}: component author`, (caller, request) => {
    const least = isForAuthors(request.params['type']) ? 'author' : 'read'
    return requireComponentRole(database.read, caller, { componentId: pathId(request), least })
  })
}

function projectExport(database: Database): Access<ProjectGrant> {
  const { rule } = projectRole(database, 'viewer')
  return callerAccess(`${rule}; ${AUTHOR_FORMATS.join(', ')}: project author`, (caller, request) => {
    const least = isForAuthors(request.params['type']) ? 'author' : 'viewer'
    return requireProjectRole(database.read, caller, { projectId: pathId(request), least })
  })
}
