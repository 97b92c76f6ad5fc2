import { z } from 'zod'
import { type Access, callerAccess, type CallerGrant, signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { seenVersion, versionTag } from '../../../http/if-match.ts'
import { id, idParams, NO_INPUT } from '../../../http/input.ts'
import { permissionDenied } from '../../../http/refusals.ts'
import { confirmation, SAVED_MESSAGE, toast, toastSchema } from '../../../http/toast.ts'
import { auditSchema, findProjectHistory } from '../../activity/audits/reader.ts'
import type { Parts } from '../../parts/parts.ts'
import { projectRole } from '../../parts/project-access.ts'
import { mayAddOnlyKnown } from '../memberships/known-people.ts'
import { findProjectDetail } from './detail.ts'
import { listProjects } from './list-endpoint.ts'
import { findProjectCards } from './reader.ts'
import { newProject, projectCard, projectChanges, projectDetail } from './schemas.ts'
import { deleteProject, insertProject, updateProject } from './writer.ts'

const TAG = 'Projects'

export function projectEndpoints(parts: Parts): readonly Endpoint[] {
  return [listProjects(parts), cards(parts), create(parts), show(parts), update(parts), remove(parts), histories(parts)]
}

function cards({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/projects',
    operation: 'listProjectCards',
    tag: TAG,
    // Browsers get the page instead.
    mediaTypes: ['text/html'],
    summary: 'All projects that the caller may see, with the caller’s membership or access request',
    access: signedIn,
    input: NO_INPUT,
    answer: z.array(projectCard),
    handle: ({ grant: { caller } }) => findProjectCards(database.read, caller),
  })
}

/** Admits everybody, or only site administrators, depending on the settings. */
export function projectCreator({ settings }: Parts): Access<CallerGrant> {
  return callerAccess('signed in, unless SERVICE_PROJECT_CREATION_ENABLED is false; site admin', (caller) => {
    if (!settings.projectCreation && !caller.admin)
      throw permissionDenied('Only a site administrator may create projects here.')
    return Promise.resolve({ caller })
  })
}

function create(parts: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/projects',
    operation: 'createProject',
    tag: TAG,
    summary: 'Create a project; its creator becomes its administrator',
    access: projectCreator(parts),
    failure: 'Could not create project.',
    input: z.object({ body: z.object({ project: newProject }) }),
    answer: z.object({ toast: toastSchema, redirect_url: z.string(), id: z.int() }),
    handle: async ({ grant: { caller }, input: { body } }) => {
      const id = await parts.database.transact((writer) => insertProject(writer, body.project, caller))
      const confirmation = toast('Project created.', 'You are its administrator.')
      return { ...confirmation, redirect_url: `/projects/${id}`, id }
    },
  })
}

function show({ database, settings }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/projects/{id}',
    operation: 'getProject',
    tag: TAG,
    // Browsers get the page instead.
    mediaTypes: ['text/html'],
    summary: 'A project with its members, requests and history; ETag is its version',
    headers: ['ETag'],
    access: projectRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: projectDetail,
    handle: async ({ grant, setHeader }) => {
      const finder = mayAddOnlyKnown(settings, grant.caller) ? grant.caller.id : null
      const detail = await findProjectDetail(database.read, grant, finder)
      setHeader('ETag', versionTag(detail.lock_version))
      return detail
    },
  })
}

function update({ database }: Parts): Endpoint {
  return endpoint({
    method: ['put', 'patch'],
    path: '/projects/{id}',
    operation: 'updateProject',
    tag: TAG,
    summary: 'Change a project; with lock_version or If-Match, refused if it has changed since',
    headers: ['ETag'],
    access: projectRole(database, 'admin'),
    failure: 'Could not update project.',
    input: z.object({ params: idParams, body: z.object({ project: projectChanges }) }),
    answer: confirmation,
    handle: async ({ grant: { caller, projectId }, input: { body }, header, setHeader }) => {
      const changes = body.project
      const expectedVersion = changes.lock_version ?? seenVersion(header('If-Match'))
      const lock_version = await database.transact((writer) =>
        updateProject(writer, projectId, { changes, expectedVersion, caller }),
      )
      setHeader('ETag', versionTag(lock_version))
      return { ...toast('Project updated.', SAVED_MESSAGE), lock_version }
    },
  })
}

function remove({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/projects/{id}',
    operation: 'deleteProject',
    tag: TAG,
    summary: 'Remove a project with everything in it',
    access: projectRole(database, 'admin'),
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller, projectId } }) => {
      await database.transact((writer) => deleteProject(writer, projectId, caller))
      return toast('Project removed.', 'Everything in it was removed too.')
    },
  })
}

function histories({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/projects/{id}/histories',
    operation: 'getProjectHistories',
    tag: TAG,
    summary: 'The newest 50 changes of a project and its members, oldest first; or the 50 before a given one',
    access: projectRole(database, 'viewer'),
    input: z.object({ params: idParams, query: z.object({ before: id.optional() }) }),
    answer: z.array(auditSchema),
    handle: async ({ grant: { projectId }, input: { query } }) => [
      ...(await findProjectHistory(database.read, projectId, query.before)),
    ],
  })
}
