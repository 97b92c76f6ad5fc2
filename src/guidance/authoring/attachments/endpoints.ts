import { z } from 'zod'
import { type Access, callerAccess } from '../../../http/access.ts'
import { DOCUMENT } from '../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, pathId } from '../../../http/input.ts'
import { confirmation, toast, toastSchema } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { Parts } from '../../parts/parts.ts'
import { requireRuleRole, ruleFor, ruleRole, type RuleGrant } from '../access/component-access.ts'
import { attachmentSchema, contentOf, findAttachments, requireAttachment } from './reader.ts'
import { checkAttachment } from './receive.ts'
import { scannerOf } from './scan.ts'
import { MAX_FILE_BYTES, MEDIA_TYPES } from './types.ts'
import { attach, detach, NOT_ATTACHED } from './writer.ts'

const TAG = 'Attachments'

/** Files that show how a rule is met. */
export function attachmentEndpoints(parts: Parts): readonly Endpoint[] {
  return [list(parts), add(parts), download(parts), remove(parts)]
}

function list({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/rules/{id}/attachments',
    operation: 'listAttachments',
    tag: TAG,
    summary: 'The attachments of a rule, oldest first',
    access: ruleRole(database, 'viewer'),
    input: z.object({ params: idParams }),
    answer: z.object({ attachments: z.array(attachmentSchema) }),
    handle: async ({ grant: { ruleId } }) => ({ attachments: await findAttachments(database.read, ruleId) }),
  })
}

function add(parts: Parts): Endpoint {
  const { database } = parts
  return endpoint({
    method: 'post',
    path: '/rules/{id}/attachments',
    operation: 'addAttachment',
    tag: TAG,
    summary: 'Attach a file to a rule: an image, PDF, office document, zip or text',
    refusals: ['empty_file', 'unsupported_file_type', 'attachment_infected', 'scan_unavailable', 'rule_locked'],
    access: ruleRole(database, 'author', { unreleased: true }),
    failure: NOT_ATTACHED,
    upload: true,
    largestFile: MAX_FILE_BYTES,
    limited: 'uploads',
    created: true,
    input: z.object({ params: idParams, body: z.object({}) }),
    answer: z.object({ toast: toastSchema, attachment: attachmentSchema }),
    handle: async ({ grant: { caller, ruleId }, upload }) => {
      if (upload === null) throw new Error('There is no file')
      const file = await checkAttachment(upload, scannerOf(parts))
      const attachment = await database.transact(async (writer) =>
        requireAttachment(writer, await attach(writer, { ruleId, file, caller })),
      )
      return { ...toast('File attached.', `${file.name} is attached to the rule.`), attachment }
    },
  })
}

function download({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/attachments/{id}',
    operation: 'getAttachment',
    tag: TAG,
    summary: 'The file of an attachment, to be saved',
    access: attachmentRole(database, 'viewer'),
    mediaTypes: MEDIA_TYPES,
    input: z.object({ params: idParams }),
    answer: DOCUMENT,
    handle: async ({ input: { params } }) => {
      const attachment = await requireAttachment(database.read, params.id)
      const { name: fileName, media_type: mediaType } = attachment
      return { mediaType, fileName, body: contentOf(database.read, attachment) }
    },
  })
}

function remove({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/attachments/{id}',
    operation: 'deleteAttachment',
    tag: TAG,
    summary: 'Remove an attachment from its rule',
    refusals: ['rule_locked'],
    access: attachmentRole(database, 'author', { unreleased: true }),
    failure: 'Could not remove the attachment.',
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params } }) => {
      await database.transact((writer) => detach(writer, { id: params.id, caller }))
      return toast('Attachment removed.', 'The file is deleted.')
    },
  })
}

/** Requires a role in the component of the rule that has the attachment. */
function attachmentRole(
  database: Database,
  least: Role,
  { unreleased = false }: { readonly unreleased?: boolean } = {},
): Access<RuleGrant> {
  return callerAccess(ruleFor(least, unreleased), async (caller, request) => {
    const { rule_id: ruleId } = await requireAttachment(database.read, pathId(request))
    return requireRuleRole(database.read, caller, { ruleId, least, unreleased })
  })
}
