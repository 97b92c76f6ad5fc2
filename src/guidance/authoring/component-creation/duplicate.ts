import { refuseValues } from '../../../http/toast.ts'
import type { Writer } from '../../database/transaction.ts'
import type { ProjectGrant } from '../../parts/project-access.ts'
import { requireComponentRole } from '../access/component-access.ts'
import { tokenOf } from '../components/mint.ts'
import { requireRecord } from '../components/reader.ts'
import { insertComponent, type NewRecord } from '../components/record.ts'
import type { ComponentRecord } from '../components/schemas.ts'
import type { NewComponent, CreatedComponent } from './bodies.ts'
import { copyHistories, copyParts, copyQuestions, copyReviews, copyRuleRows } from './copy.ts'
import { resolveDecisions } from './decisions.ts'
import { auditNew, NOT_ADDED, requireSources } from './from-srg.ts'
import { addNewRequirements, keepsChecks, relinkRules, takeChecks, type RebaseContext } from './rebase.ts'
import { matchRequirements } from './requirement-matches.ts'

/**
 * Copies a component that the caller may read, with its rules and comments. Members also get its questions, its
 * metadata and the histories of its rules, because only they may see them. The copy is neither locked nor released. If
 * the request names another SRG, the copy is based on that one.
 */
export async function duplicateComponent(
  writer: Writer,
  request: NewComponent,
  { caller, projectId }: ProjectGrant,
): Promise<CreatedComponent> {
  const from = request.id
  if (from == null) throw refuseValues(NOT_ADDED, [{ field: 'id', message: 'Component to copy must exist' }])
  await writer.lock('component', from)
  const { role } = await requireComponentRole(writer, caller, { componentId: from, least: 'read' })
  const source = await requireRecord(writer, from)
  const record = recordOf(source, { request, projectId, isMember: role !== null })
  await requireSources(writer, record.srgIds, record.documentType)
  const to = await insertComponent(writer, record, caller)
  const copying = { from, to }
  await copyRuleRows(writer, copying)
  // Final ids contain the token of the prefix.
  if (tokenOf(record.prefix) !== tokenOf(source.prefix)) await forgetMinted(writer, to)
  const rebasing = await rebasingOf(writer, source, { to, after: record.srgIds[0], request })
  const removed = rebasing === null ? 0 : await relinkRules(writer, rebasing)
  await copyParts(writer, copying, rebasing === null ? undefined : keepsChecks(rebasing))
  await copyReviews(writer, copying)
  if (role === null) await auditNew(writer, to, 0)
  else {
    await copyQuestions(writer, copying)
    await copyHistories(writer, copying)
  }
  if (rebasing === null) return { id: to, message: '' }
  await takeChecks(writer, rebasing)
  const added = await addNewRequirements(writer, rebasing)
  return { id: to, message: await describeDuplicate(writer, to, { removed, added }) }
}

interface DuplicateRequest {
  readonly request: NewComponent
  readonly projectId: number
  readonly isMember: boolean
}

function recordOf(source: ComponentRecord, { request, projectId, isMember }: DuplicateRequest): NewRecord {
  const before = source.security_requirements_guide_id
  const primary = request.security_requirements_guide_id ?? before
  const further = source.source_srgs.map(({ id }) => id).filter((id) => id !== before)
  return {
    projectId,
    documentType: source.document_type,
    srgIds: [...new Set([primary, ...further])],
    overlaid: source.component_id,
    publishedSource: source.published_source,
    name: request.name ?? source.name,
    prefix: request.prefix ?? source.prefix,
    ...describeSource(source, request),
    admin: { name: source.admin_name, email: source.admin_email },
    advancedFields: isMember && source.advanced_fields,
    metadata: isMember ? source.metadata : {},
  }
}

type DescriptiveFields = Pick<NewRecord, 'title' | 'description' | 'version' | 'release'>

/** The descriptive fields of the source, unless the request has others; null counts as a value. */
export function describeSource(source: ComponentRecord, request: NewComponent): DescriptiveFields {
  const { description, version, release } = request
  return {
    title: request.title ?? source.title,
    description: description === undefined ? source.description : description,
    version: version === undefined ? source.version : version,
    release: release === undefined ? source.release : release,
  }
}

async function forgetMinted(writer: Writer, componentId: number): Promise<void> {
  await writer.updateTable('rules').set({ minted_id: null }).where('component_id', '=', componentId).execute()
}

/** Null means that the copy keeps its SRG. */
async function rebasingOf(
  writer: Writer,
  source: ComponentRecord,
  { to, after, request: { rebase } }: RebaseRequest,
): Promise<RebaseContext | null> {
  const { document_type: kind, security_requirements_guide_id: before } = source
  if (after === undefined || after === before) {
    if (rebase === undefined) return null
    const message = 'Decisions can only be given for a copy on another SRG'
    throw refuseValues(NOT_ADDED, [{ field: 'rebase', message }])
  }
  const matches = await matchRequirements(writer, { before, after })
  const planned = { componentId: source.id, kind, before, after }
  const decided = await resolveDecisions(writer, planned, rebase ?? {})
  return { ...planned, componentId: to, matches, decided }
}

interface RebaseRequest {
  readonly to: number
  readonly after: number | undefined
  readonly request: Pick<NewComponent, 'rebase'>
}

async function describeDuplicate(
  writer: Writer,
  componentId: number,
  { removed, added }: { readonly removed: number; readonly added: number },
): Promise<string> {
  const { source_srgs } = await requireRecord(writer, componentId)
  const [srg] = source_srgs
  return `It is now based on ${srg?.title} ${srg?.version}: ${removed} requirements were removed, ${added} added.`
}
