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
 * Makes a component in a project, in one of three ways (operations B, creation modes): from SRGs, as a duplicate,
 * or as an overlay of a released one.
 */
export async function createComponent(
  writer: Writer,
  wanted: NewComponent,
  grant: ProjectGrant,
): Promise<CreatedComponent> {
  const { caller } = grant
  const isDuplicate = wanted.duplicate === true || wanted.copy_component === true
  const projectId = (isDuplicate ? wanted.project_id : null) ?? grant.projectId
  await writer.lock('project', projectId)
  // Checked again: the body may name another project, which may be gone by now.
  await requireProjectRole(writer, caller, { projectId, least: 'admin' })
  const here = { ...grant, projectId }
  if (isDuplicate) return duplicateComponent(writer, wanted, here)
  if (wanted.component_id != null)
    return overlayComponent(writer, { ...wanted, component_id: wanted.component_id }, here)
  return createFromSrgs(writer, wanted, here)
}

async function createFromSrgs(
  writer: Writer,
  wanted: NewComponent,
  { caller, projectId }: ProjectGrant,
): Promise<CreatedComponent> {
  const named = requireNamed(wanted)
  const documentType = wanted.document_type ?? 'stig'
  const sources = sourcesOf(wanted, named.srgId)
  await requireSources(writer, sources.ids, documentType)
  await requireKnown(writer, sources)
  const { description = null, version = null, release = null } = wanted
  const metadata = wanted.component_metadata_attributes?.data ?? {}
  const record = {
    ...{ projectId, documentType, srgIds: sources.ids, overlaid: null },
    ...{ name: named.name, prefix: named.prefix, title: named.title },
    ...{ description, version, release },
    admin: adminOf(wanted),
    advancedFields: wanted.advanced_fields === true,
    metadata: withSlack(metadata, wanted.slack_channel_id),
  }
  const id = await insertComponent(writer, record, caller)
  await changeQuestions(writer, id, {
    changes: wanted.additional_questions_attributes ?? [],
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

function requireNamed(wanted: NewComponent): RequiredFields {
  const { name, prefix, title, security_requirements_guide_id: srgId } = wanted
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

/** The primary SRG, then the others by id (reference, guidance-xccdf §5). */
function sourcesOf(wanted: NewComponent, primary: number): SourceSrgs {
  const declared = [...(wanted.declared_source_srg_ids ?? [])].sort((a, b) => a - b)
  const ids = [...new Set([primary, ...declared])]
  const selections = new Map(
    Object.entries(wanted.requirement_selections ?? {}).map(([id, versions]) => [
      Number(id),
      [...new Set(versions)],
    ]),
  )
  const strange = [...selections.keys()].filter((id) => !ids.includes(id))
  if (strange.length === 0) return { ids, selections }
  throw refuseSelection(
    `Requirements are selected of SRGs that are no source: ${strange.join(', ')}`,
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
