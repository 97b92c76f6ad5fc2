import { z } from 'zod'
import { signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { seenVersion, versionTag } from '../../../http/if-match.ts'
import { idParams } from '../../../http/input.ts'
import { confirmation, SAVED_MESSAGE, toast, toastSchema } from '../../../http/toast.ts'
import type { Upload } from '../../../http/upload.ts'
import { auditSchema, findComponentHistory } from '../../activity/audits/reader.ts'
import type { Parts } from '../../parts/parts.ts'
import { projectRole, type ProjectGrant } from '../../parts/project-access.ts'
import { mayReadComponent } from '../../parts/readable.ts'
import { componentRole } from '../access/component-access.ts'
import { comparisonEndpoints } from '../component-comparison/comparison-endpoints.ts'
import { publishedDiffEndpoint } from '../component-comparison/published-endpoint.ts'
import { componentChanges, newComponent, type CreatedComponent, unlinkedRule } from '../component-creation/bodies.ts'
import { createComponent } from '../component-creation/create.ts'
import { NOT_ADDED } from '../component-creation/from-srg.ts'
import { namedSrgsEndpoint } from '../component-creation/published-stig/srgs-endpoint.ts'
import { rebaseEndpoint } from '../component-creation/rebase-endpoint.ts'
import { findCards, requireRecord } from '../components/reader.ts'
import { componentCard, componentEditor, componentReadOnly, componentRecord } from '../components/schemas.ts'
import { removeComponent } from './remove.ts'
import { NOT_UPDATED, updateComponent } from './update.ts'
import { findView } from './views.ts'

const TAG = 'Components'

/** Makes a component from an uploaded sheet, in the project of the grant. */
export type CreateFromSheet = (
  grant: ProjectGrant,
  upload: Upload,
) => Promise<{ readonly componentId: number; readonly message: string }>

export function componentEndpoints(parts: Parts, createFromSheet: CreateFromSheet): readonly Endpoint[] {
  return [
    listReleased(parts),
    create(parts, createFromSheet),
    show(parts),
    record(parts),
    update(parts),
    remove(parts),
    histories(parts),
    ...comparisonEndpoints(parts),
    rebaseEndpoint(parts),
    namedSrgsEndpoint(parts),
    publishedDiffEndpoint(parts),
  ]
}

function listReleased({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components',
    operation: 'listReleasedComponents',
    tag: TAG,
    summary: 'All released components; with `readable=true`, all that the caller may read',
    access: signedIn,
    input: z.object({ query: z.object({ readable: z.enum(['true', 'false']).optional() }) }),
    answer: z.array(componentCard),
    handle: ({ grant: { caller }, input: { query } }) =>
      findCards(database.read, (is) =>
        query.readable === 'true' ? mayReadComponent(caller) : is('components.released', '=', 1),
      ),
  })
}

function create(parts: Parts, createFromSheet: CreateFromSheet): Endpoint {
  const added = ({ id, message, unlinked }: CreatedComponent) => ({
    ...toast('Component added.', message === '' ? 'Its rules can be edited now.' : message),
    id,
    redirect_url: `/components/${id}`,
    ...(unlinked !== undefined && { unlinked_rules: [...unlinked] }),
  })
  return endpoint({
    method: 'post',
    path: '/projects/{id}/components',
    operation: 'createComponent',
    tag: TAG,
    summary:
      'Add a component: from SRGs, from a published STIG, from a spreadsheet, as a copy, or as an overlay of a released one',
    upload: 'optional',
    limited: 'uploads',
    access: projectRole(parts.database, 'admin'),
    failure: NOT_ADDED,
    input: z.object({ params: idParams, body: z.object({ component: newComponent }) }),
    answer: z.object({
      toast: toastSchema,
      id: z.int(),
      redirect_url: z.string(),
      unlinked_rules: z.array(unlinkedRule).optional().meta({
        description: 'Rules of the published STIG whose requirement was not found, when it begins from one',
      }),
    }),
    handle: async ({ grant, input: { body } }) =>
      added(await parts.database.transact((writer) => createComponent(writer, body.component, grant))),
    handleForm: async (grant, upload) => {
      const { componentId, message } = await createFromSheet(grant, upload)
      return added({ id: componentId, message })
    },
  })
}

function show({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}',
    operation: 'getComponent',
    tag: TAG,
    // Browsers get the page.
    mediaTypes: ['text/html'],
    summary: 'A component with its rules; people who are not members get a shorter view of a released one',
    headers: ['ETag'],
    access: componentRole(database, 'read'),
    input: z.object({ params: idParams }),
    answer: z.union([componentEditor, componentReadOnly]),
    handle: async ({ grant, setHeader }) => {
      const view = await findView(database.read, grant)
      if ('lock_version' in view) setHeader('ETag', versionTag(view.lock_version))
      return view
    },
  })
}

function record({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/record',
    operation: 'getComponentRecord',
    tag: TAG,
    summary: 'A component without its rules, for members; ETag is its version',
    headers: ['ETag'],
    access: componentRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: componentRecord,
    handle: async ({ grant: { componentId }, setHeader }) => {
      const component = await requireRecord(database.read, componentId)
      setHeader('ETag', versionTag(component.lock_version))
      return component
    },
  })
}

function update({ database }: Parts): Endpoint {
  return endpoint({
    method: ['put', 'patch'],
    path: '/components/{id}',
    operation: 'updateComponent',
    tag: TAG,
    summary: 'Change a component, or release a STIG; with lock_version or If-Match, refused if it has changed since',
    headers: ['ETag'],
    access: componentRole(database, 'author', { unreleased: true }),
    failure: NOT_UPDATED,
    input: z.object({ params: idParams, body: z.object({ component: componentChanges }) }),
    answer: confirmation,
    handle: async ({ grant, input: { body }, header, setHeader }) => {
      const changes = body.component
      const expectedVersion = changes.lock_version ?? seenVersion(header('If-Match'))
      const lock_version = await database.transact((writer) =>
        updateComponent(writer, { changes, expectedVersion, grant }),
      )
      setHeader('ETag', versionTag(lock_version))
      return { ...toast('Component updated.', SAVED_MESSAGE), lock_version }
    },
  })
}

function remove({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/components/{id}',
    operation: 'deleteComponent',
    tag: TAG,
    summary: 'Remove a component with everything in it',
    access: componentRole(database, 'admin'),
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant }) => {
      await database.transact((writer) => removeComponent(writer, grant))
      return toast('Component removed.', 'Everything in it was removed too.')
    },
  })
}

function histories({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/histories',
    operation: 'getComponentHistories',
    tag: TAG,
    summary: 'The newest 50 changes of a component and what is in it, oldest first',
    access: componentRole(database, 'read'),
    input: z.object({ params: idParams }),
    answer: z.array(auditSchema),
    handle: async ({ grant: { componentId } }) => [...(await findComponentHistory(database.read, componentId))],
  })
}
