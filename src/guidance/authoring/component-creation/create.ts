import { sql } from 'kysely'
import { refuseValues, type FieldError } from '../../../http/toast.ts'
import type { Writer } from '../../database/transaction.ts'
import { requireProjectRole, type ProjectGrant } from '../../parts/project-access.ts'
import { withSlack } from '../components/metadata.ts'
import { insertComponent } from '../components/record.ts'
import type { NewComponent, CreatedComponent } from './bodies.ts'
import { duplicateComponent } from './duplicate.ts'
import { copyRequirements, NOT_ADDED, requireSources, type SourceSrgs } from './from-srg.ts'
import { overlayComponent } from './overlay.ts'
import { changeQuestions } from './questions.ts'

/**
 * Makes a component in a project, in one of three ways: from SRGs, as a duplicate, or as an overlay of a released one.
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
  const here = { ...grant, projectId }
  if (isDuplicate) return duplicateComponent(writer, request, here)
  if (request.component_id != null)
    return overlayComponent(writer, { ...request, component_id: request.component_id }, here)
  return createFromSrgs(writer, request, here)
}

async function createFromSrgs(
  writer: Writer,
  request: NewComponent,
  { caller, projectId }: ProjectGrant,
): Promise<CreatedComponent> {
  const named = requireNamed(request)
  const documentType = request.document_type ?? 'stig'
  const sources = sourcesOf(request, named.srgId)
  await requireSources(writer, sources.ids, documentType)
  await requireKnown(writer, sources)
  const { description = null, version = null, release = null } = request
  const metadata = request.component_metadata_attributes?.data ?? {}
  const record = {
    projectId,
    documentType,
    srgIds: sources.ids,
    overlaid: null,
    name: named.name,
    prefix: named.prefix,
    title: named.title,
    description,
    version,
    release,
    admin: adminOf(request),
    advancedFields: request.advanced_fields === true,
    metadata: withSlack(metadata, request.slack_channel_id),
  }
  const id = await insertComponent(writer, record, caller)
  await changeQuestions(writer, id, {
    changes: request.additional_questions_attributes ?? [],
    failure: NOT_ADDED,
  })
  await copyRequirements(writer, id, sources)
  return { id, message: '' }
}

/** Null: the creator. */
function adminOf({ admin_name: name = null, admin_email: email = null }: NewComponent) {
  return name === null && email === null ? null : { name, email }
}

interface RequiredFields {
  readonly name: string
  readonly prefix: string
  readonly title: string
  readonly srgId: number
}

function requireNamed(request: NewComponent): RequiredFields {
  const { name, prefix, title, security_requirements_guide_id: srgId } = request
  if (name !== undefined && prefix !== undefined && title !== undefined && srgId != null)
    return { name, prefix, title, srgId }
  const missing: readonly (readonly [unknown, string, string])[] = [
    [name, 'name', "Name can't be blank"],
    [prefix, 'prefix', "Prefix can't be blank"],
    [title, 'title', "Title can't be blank"],
    [srgId, 'security_requirements_guide_id', 'Security requirements guide must exist'],
  ]
  const errors = missing.flatMap(([value, field, message]): readonly FieldError[] =>
    value == null ? [{ field, message }] : [],
  )
  throw refuseValues(NOT_ADDED, errors)
}

/** The primary SRG, then the others by id. */
function sourcesOf(request: NewComponent, primary: number): SourceSrgs {
  const declared = [...(request.declared_source_srg_ids ?? [])].sort((a, b) => a - b)
  const ids = [...new Set([primary, ...declared])]
  const selections = new Map(
    Object.entries(request.requirement_selections ?? {}).map(([id, versions]) => [Number(id), [...new Set(versions)]]),
  )
  const strange = [...selections.keys()].filter((id) => !ids.includes(id))
  if (strange.length === 0) return { ids, selections }
  throw refuseSelection(
    `Requirements are selected from SRGs that are not sources of the component: ${strange.join(', ')}`,
  )
}

/** Refuses selected requirements that do not exist: otherwise a misspelt one would be missing unnoticed. */
async function requireKnown(writer: Writer, { selections }: SourceSrgs): Promise<void> {
  for (const [id, versions] of selections) {
    if (versions.length === 0) continue
    const rows = await writer
      .selectFrom('benchmark_rules')
      .select('version')
      .where('benchmark_id', '=', id)
      .where(sql<boolean>`version in (${sql.join(versions)})`)
      .execute()
    const known = new Set(rows.map(({ version }) => version))
    const unknown = versions.filter((version) => !known.has(version))
    if (unknown.length > 0)
      throw refuseSelection(`The SRG has no such requirements: ${unknown.slice(0, 20).join(', ')}`)
  }
}

function refuseSelection(message: string): Error {
  return refuseValues(NOT_ADDED, [{ field: 'requirement_selections', message }])
}
