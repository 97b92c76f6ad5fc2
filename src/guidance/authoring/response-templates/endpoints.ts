import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idParams } from '../../../http/input.ts'
import { confirmation, SAVED_MESSAGE, toast, toastSchema } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { projectRole } from '../../parts/project-access.ts'
import { newTemplate, templateChanges, templateSchema } from './schemas.ts'
import { deleteTemplate, findTemplates, insertTemplate, NOT_CREATED, NOT_UPDATED, updateTemplate } from './writer.ts'

const TAG = 'Comments'
const ALL = '/projects/{id}/triage_response_templates'
const TEMPLATE_PATH = `${ALL}/{templateId}`

const params = idParams.extend({ templateId: id })

const answer = z.object({ toast: toastSchema, triage_response_template: templateSchema })

/** Templates for replies of triagers, by project. */
export function responseTemplateEndpoints({ database }: Parts): readonly Endpoint[] {
  return [list(database), create(database), update(database), remove(database)]
}

function list(database: Database): Endpoint {
  return endpoint({
    method: 'get',
    path: ALL,
    operation: 'listResponseTemplates',
    tag: TAG,
    summary: 'The replies that triagers of a project can start from, by name',
    access: projectRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: z.object({ triage_response_templates: z.array(templateSchema) }),
    handle: async ({ grant: { projectId } }) => ({
      triage_response_templates: await findTemplates(database.read, projectId),
    }),
  })
}

function create(database: Database): Endpoint {
  return endpoint({
    method: 'post',
    path: ALL,
    operation: 'createResponseTemplate',
    tag: TAG,
    summary: 'Add a reply that triagers can start from',
    access: projectRole(database, 'admin'),
    failure: NOT_CREATED,
    created: true,
    input: z.object({
      params: idParams,
      body: z.object({ triage_response_template: newTemplate }),
    }),
    answer,
    handle: async ({ grant, input: { body } }) => {
      const triage_response_template = await database.transact((writer) =>
        insertTemplate(writer, grant, body.triage_response_template),
      )
      const confirmation = toast('Response template created.', 'It can now be used for replies.')
      return { ...confirmation, triage_response_template }
    },
  })
}

function update(database: Database): Endpoint {
  return endpoint({
    method: ['patch', 'put'],
    path: TEMPLATE_PATH,
    operation: 'updateResponseTemplate',
    tag: TAG,
    summary: 'Change a reply that triagers can start from',
    access: projectRole(database, 'admin'),
    failure: NOT_UPDATED,
    input: z.object({
      params,
      body: z.object({ triage_response_template: templateChanges }),
    }),
    answer,
    handle: async ({ grant, input: { params: path, body } }) => {
      const triage_response_template = await database.transact((writer) =>
        updateTemplate(writer, { ...grant, id: path.templateId }, body.triage_response_template),
      )
      return { ...toast('Response template updated.', SAVED_MESSAGE), triage_response_template }
    },
  })
}

function remove(database: Database): Endpoint {
  return endpoint({
    method: 'delete',
    path: TEMPLATE_PATH,
    operation: 'deleteResponseTemplate',
    tag: TAG,
    summary: 'Remove a reply that triagers could start from',
    access: projectRole(database, 'admin'),
    input: z.object({ params }),
    answer: confirmation,
    handle: async ({ grant, input: { params: path } }) => {
      const { templateId } = path
      await database.transact((writer) => deleteTemplate(writer, { ...grant, id: templateId }))
      return toast('Response template removed.', 'It is no longer offered.')
    },
  })
}
