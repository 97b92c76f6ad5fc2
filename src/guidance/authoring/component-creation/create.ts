import { sql } from 'kysely'
import { refuseValues, type FieldError } from '../../../http/toast.ts'
import type { Writer } from '../../database/transaction.ts'
import { nameSome } from '../../parts/name-some.ts'
import { requireProjectRole, type ProjectGrant } from '../../parts/project-access.ts'
import { withSlackChannel } from '../components/metadata.ts'
import { insertComponent, type NewRecord } from '../components/record.ts'
import type { NewComponent, CreatedComponent } from './bodies.ts'
import { duplicateComponent } from './duplicate.ts'
import { copyRequirements, NOT_ADDED, requireSources, type SourceSrgs } from './from-srg.ts'
import { overlayComponent } from './overlay.ts'
import { beginFromStig } from './published-stig/begin.ts'
import { changeQuestions } from './questions.ts'

/**
 * Makes a component in a project, in one of four ways: from SRGs, from a published STIG, as a duplicate, or as an
 * overlay of a released one.
 */
export async function createComponent(
  writer: Writer,
  request: NewComponent,
  grant: ProjectGrant,
): Promise<CreatedComponent> {
  const { caller } = grant
  const isDuplicate = request.duplicate === true || request.copy_component === true
  const projectId = (isDuplicate ? request.project_id : null) ?? grant.projectId
  await writer.lock('project', projectId)
  // Checked again: the body may name another project, which may be gone by now.
  await requireProjectRole(writer, caller, { projectId, least: 'admin' })
  const targetGrant = { ...grant, projectId }
  if (isDuplicate) return duplicateComponent(writer, request, targetGrant)
  if (request.component_id != null)
    return overlayComponent(writer, { ...request, component_id: request.component_id }, targetGrant)
  if (request.source_stig_id != null) return createFromStig(writer, request, targetGrant)
  return createFromSrgs(writer, request, targetGrant)
}

async function createFromSrgs(
  writer: Writer,
  request: NewComponent,
  { caller, projectId }: ProjectGrant,
): Promise<CreatedComponent> {
  const srgId = request.security_requirements_guide_id ?? null
  const described = describeComponent(request, srgId === null ? [NO_SRG] : [])
  const sources = sourcesOf(request, srgId ?? 0)
  await requireSources(writer, sources.ids, described.documentType)
  await requireKnownRequirements(writer, sources)
  const record = { ...described, projectId, srgIds: sources.ids, publishedSource: null }
  const id = await insertComponent(writer, record, caller)
  await addQuestions(writer, id, request)
  await copyRequirements(writer, id, sources)
  return { id, message: '' }
}

const NO_SRG: FieldError = {
  field: 'security_requirements_guide_id',
  message: 'Security requirements guide must exist',
}

async function createFromStig(writer: Writer, request: NewComponent, grant: ProjectGrant): Promise<CreatedComponent> {
  const { source_stig_id: stigId, security_requirements_guide_id: srgId, document_type } = request
  const record = describeComponent(request, document_type === 'srg' ? [NOT_A_STIG] : [])
  const srgIds = srgId == null ? [] : sourcesOf(request, srgId).ids
  const created = await beginFromStig(writer, { stigId: stigId ?? 0, srgIds, record }, grant)
  await addQuestions(writer, created.id, request)
  return created
}

const NOT_A_STIG: FieldError = { field: 'document_type', message: 'A component that begins from a STIG is a STIG' }

async function addQuestions(writer: Writer, componentId: number, request: NewComponent): Promise<void> {
  const changes = request.additional_questions_attributes ?? []
  await changeQuestions(writer, componentId, { changes, failure: NOT_ADDED })
}

type DescribedComponent = Omit<NewRecord, 'projectId' | 'srgIds' | 'publishedSource'>

/** The fields of a new component that are in the request. Refuses missing ones, together with other faults. */
function describeComponent(request: NewComponent, faults: readonly FieldError[]): DescribedComponent {
  const { description = null, version = null, release = null } = request
  const metadata = request.component_metadata_attributes?.data ?? {}
  return {
    ...requireNamed(request, faults),
    documentType: request.document_type ?? 'stig',
    overlaid: null,
    description,
    version,
    release,
    admin: adminOf(request),
    advancedFields: request.advanced_fields === true,
    metadata: withSlackChannel(metadata, request.slack_channel_id),
  }
}

/** Null means the creator. */
function adminOf({ admin_name: name = null, admin_email: email = null }: NewComponent) {
  return name === null && email === null ? null : { name, email }
}

function requireNamed(
  { name, prefix, title }: NewComponent,
  faults: readonly FieldError[],
): Pick<NewRecord, 'name' | 'prefix' | 'title'> {
  if (name !== undefined && prefix !== undefined && title !== undefined && faults.length === 0)
    return { name, prefix, title }
  const missing: readonly (readonly [unknown, string, string])[] = [
    [name, 'name', "Name can't be blank"],
    [prefix, 'prefix', "Prefix can't be blank"],
    [title, 'title', "Title can't be blank"],
  ]
  const errors = missing.flatMap(([value, field, message]): readonly FieldError[] =>
    value == null ? [{ field, message }] : [],
  )
  throw refuseValues(NOT_ADDED, [...errors, ...faults])
}

/** Lists the primary SRG first, then the others by id. */
function sourcesOf(request: NewComponent, primary: number): SourceSrgs {
  const declaredIds = [...(request.declared_source_srg_ids ?? [])].sort((a, b) => a - b)
  const ids = [...new Set([primary, ...declaredIds])]
  const selections = new Map(
    Object.entries(request.requirement_selections ?? {}).map(([id, versions]) => [Number(id), [...new Set(versions)]]),
  )
  const foreignIds = [...selections.keys()].filter((id) => !ids.includes(id))
  if (foreignIds.length === 0) return { ids, selections }
  throw refuseSelection(
    `Requirements are selected from SRGs that are not sources of the component: ${foreignIds.join(', ')}`,
  )
}

/** Refuses selected requirements that do not exist. Otherwise nobody would notice a misspelt one. */
async function requireKnownRequirements(writer: Writer, { selections }: SourceSrgs): Promise<void> {
  for (const [id, versions] of selections) {
    if (versions.length === 0) continue
    const rows = await writer
      .selectFrom('benchmark_rules')
      .select('version')
      .where('benchmark_id', '=', id)
      .where(sql<boolean>`version in (${sql.join(versions)})`)
      .execute()
    const knownVersions = new Set(rows.map(({ version }) => version))
    const unknown = versions.filter((version) => !knownVersions.has(version))
    if (unknown.length > 0) throw refuseSelection(`The SRG has no such requirements: ${nameSome(unknown)}`)
  }
}

function refuseSelection(message: string): Error {
  return refuseValues(NOT_ADDED, [{ field: 'requirement_selections', message }])
}
