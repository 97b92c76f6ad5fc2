import { actorOf, type Caller } from '../../../../http/caller.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { writeAudit } from '../../../activity/audits/writer.ts'
import type { Scanner } from '../../../authoring/attachments/scan.ts'
import { componentSubject, recordCreation } from '../../../authoring/components/record.ts'
import { insertMembership } from '../../../authoring/memberships/writer.ts'
import { beginHistories } from '../../../authoring/rule-editing/new-rules.ts'
import { type NewBenchmark, storeBenchmark } from '../../../catalogue/benchmarks/writer.ts'
import type { Database } from '../../../database/database.ts'
import type { Reader, Writer } from '../../../database/transaction.ts'
import type { Archive } from '../format/archive.ts'
import { checkAttachments } from './attachments.ts'
import { planMembers } from './members.ts'
import { checkMilestones } from './milestones.ts'
import { findPeople, type People } from './people.ts'
import { type ImportChoice, keyOf, type Plan, planImport } from './plan.ts'
import { readSrgs } from './read-srgs.ts'
import { stageComponent, type StagedComponent } from './stage-component.ts'
import { openStaging, removeStaging } from './staging.ts'
import { type ImportReport, isReleasable, reportOf } from './summary.ts'

/** An archive, and its SRGs that the catalogue lacks. */
interface ImportSource {
  readonly archive: Archive
  readonly srgs: readonly NewBenchmark[]
  /** The file of the archive, which contains its attachments. */
  readonly path: string
}

interface ImportRequest extends ImportChoice {
  /** Whether the caller may only find people whom they know. */
  readonly bounded: boolean
  readonly caller: Caller
  /** Null means that attachments are not scanned. */
  readonly scanner: Scanner | null
}

interface ImportContext extends ImportRequest {
  readonly source: ImportSource
}

/** Locks the project that receives the components, in the transaction that makes them visible, and returns its id. */
type OpenProject = (writer: Writer) => Promise<number>

/**
 * Refuses an archive that cannot be imported into the project. Only site administrators may add an SRG, also from an
 * archive, because everybody shares the catalogue.
 */
function requireImportable(
  { chosen, unknown, missing, conflicts }: Plan,
  { dryRun, caller }: { readonly dryRun: boolean; readonly caller: Caller },
): void {
  if (chosen.length === 0) throw refuse('No component of the archive is chosen.')
  if (unknown.length > 0) {
    const names = unknown.map(keyOf).join(', ')
    throw refuse(`The archive needs SRGs that are neither in the catalogue nor in the archive: ${names}.`)
  }
  if (missing.length > 0 && !caller.admin) {
    const names = missing.map(keyOf).join(', ')
    throw refuse(`The catalogue lacks SRGs, which a site administrator has to add: ${names}.`)
  }
  if (conflicts.size > 0 && !dryRun)
    throw refuse(`The project has components of these names already: ${[...conflicts].join(', ')}.`)
}

function refuse(detail: string): Refusal {
  return new Refusal('archive_unusable', detail, {
    toast: { title: NOT_IMPORTED, message: detail, variant: 'danger' },
    warnings: [],
  })
}

export const NOT_IMPORTED = 'Could not import the archive.'

interface OpenedArchive {
  readonly archive: Archive
  /** The file of the archive, which contains its SRGs and attachments. */
  readonly path: string
}

/** Does the slow work before the transaction: refuses archives that cannot be imported, and reads the SRGs. */
export async function prepareImport(
  reader: Reader,
  { archive, path }: OpenedArchive,
  request: Omit<ImportRequest, 'bounded'> & { readonly projectId: number | null },
): Promise<ImportSource> {
  const plan = await planImport(reader, archive, request)
  requireImportable(plan, { dryRun: false, caller: request.caller })
  await checkAttachments(path, plan.chosen, request.scanner)
  await checkMilestones(path, plan.chosen, request.caller)
  return { archive, path, srgs: await readSrgs(path, plan.missing) }
}

/** Makes the checks of an import, and reports its result. Writes nothing. */
export async function tryImport(
  reader: Reader,
  { archive, path }: OpenedArchive,
  request: ImportRequest & { readonly projectId: number | null },
): Promise<ImportReport> {
  const plan = await planImport(reader, archive, request)
  requireImportable(plan, { dryRun: true, caller: request.caller })
  await checkAttachments(path, plan.chosen, request.scanner)
  await checkMilestones(path, plan.chosen, request.caller)
  const people = await findPeople(reader, archive, { ...request, chosen: plan.chosen })
  const members = await planMembers(reader, archive, { ...request, people })
  const { summary, warnings } = reportOf(plan, archive, { ...request, people, members })
  return { summary: { ...summary, dry_run: true, srg_details: plan.missing.map((srg) => ({ ...srg })) }, warnings }
}

/**
 * Imports all components or none: writes them to a hidden project, and moves them to the target in the last
 * transaction. Adds missing SRGs to the catalogue first; they stay even if the import fails.
 */
export async function importArchive(
  database: Database,
  importing: ImportContext,
  openProject: OpenProject,
): Promise<ImportReport & { readonly projectId: number }> {
  const { source, caller } = importing
  const plan = await planImport(database.read, source.archive, { ...importing, projectId: null })
  await storeSrgs(database, plan, importing)
  const people = await findPeople(database.read, source.archive, {
    ...importing,
    chosen: plan.chosen,
  })
  const staging = await openStaging(database)
  try {
    const stagingOptions = { ...importing, people: people.attributableBy(caller), path: source.path }
    const staged: StagedComponent[] = []
    for (const chosen of plan.chosen) staged.push(await stageComponent(staging, chosen, stagingOptions))
    return await staging.portion(async (writer) => {
      const projectId = await openProject(writer)
      const report = await publish(writer, { ...importing, projectId, plan, staged, people })
      return { ...report, projectId }
    })
  } finally {
    // A regular clean-up removes what is left if this fails.
    await removeStaging(database, staging.projectId).catch(() => undefined)
  }
}

interface PublishContext extends ImportContext {
  readonly projectId: number
  readonly plan: Plan
  readonly staged: readonly StagedComponent[]
  readonly people: People
}

async function publish(writer: Writer, publishing: PublishContext): Promise<ImportReport> {
  const { source, projectId, plan, staged, people, caller } = publishing
  const now = await planImport(writer, source.archive, publishing)
  requireImportable(now, { dryRun: false, caller })
  for (const component of staged) await publishComponent(writer, component, publishing)
  const members = await planMembers(writer, source.archive, publishing)
  if (publishing.includeMemberships)
    for (const { userId, role } of members.joining)
      await insertMembership(writer, { userId, projectId, role }, actorOf(caller))
  await addMetadata(writer, source.archive, projectId)
  return reportOf(plan, source.archive, { ...publishing, people, members })
}

/** Adds missing SRGs to the catalogue, each in its own transaction. */
async function storeSrgs(database: Database, { missing }: Plan, { source, caller }: ImportContext): Promise<void> {
  const srgByKey = new Map(source.srgs.map((srg) => [keyOf(nameOf(srg)), srg]))
  const missingKeys = missing.map(keyOf).filter((key) => !srgByKey.has(key))
  if (missingKeys.length > 0)
    throw refuse(`The archive names SRGs that cannot be read from it: ${missingKeys.join(', ')}.`)
  for (const srg of missing) {
    const newSrg = srgByKey.get(keyOf(srg))
    if (newSrg === undefined) continue
    const options = { replace: false, actor: actorOf(caller) }
    await database.transact((writer) => storeBenchmark(writer, newSrg, options))
  }
}

function nameOf({ head: { benchmarkId, version } }: NewBenchmark): Parameters<typeof keyOf>[0] {
  return { srg_id: benchmarkId, version }
}

/** Keeps existing metadata of the project. */
async function addMetadata(writer: Writer, { project }: Archive, projectId: number): Promise<void> {
  if (project === null || Object.keys(project.metadata).length === 0) return
  await writer
    .updateTable('projects')
    .set({ metadata: JSON.stringify(project.metadata) })
    .where('id', '=', projectId)
    .where('metadata', '=', '{}')
    .execute()
}

/** Moves a staged component into its project, with the audit entries of a new component. */
async function publishComponent(
  writer: Writer,
  { id, record, chosen }: StagedComponent,
  { projectId, caller }: { readonly projectId: number; readonly caller: Caller },
): Promise<void> {
  const { component, name, rules } = chosen
  const released = component.released && isReleasable(chosen)
  await writer
    .updateTable('components')
    .set({
      project_id: projectId,
      released: Number(released),
      released_at: released ? (component.released_at ?? new Date().toISOString()) : null,
    })
    .where('id', '=', id)
    .execute()
  await recordCreation(writer, id, { record: { ...record, projectId }, caller })
  await beginHistories(writer, { componentId: id, actor: actorOf(caller) })
  const subject = componentSubject({ id, name, project_id: projectId })
  const comment = `Imported from an archive: ${rules.length} rules`
  await writeAudit(writer, actorOf(caller), { action: 'custom', subject, comment })
}
