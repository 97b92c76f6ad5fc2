import { Refusal } from '../../platform/errors.ts'
import { storeBenchmark } from '../benchmarks/writer.ts'
import { actorOf, type Caller } from '../caller.ts'
import type { Writer } from '../database/database.ts'
import { insertMembership } from '../memberships/writer.ts'
import { UploadReader } from '../xccdf/upload-thread.ts'
import type { Archive } from './archive.ts'
import { importComponent } from './import-component.ts'
import { findPeople, type People } from './people.ts'
import { keyOf, planImport, type Choice, type Plan } from './plan.ts'
import { summarise, warningsOf, type Summary } from './summary.ts'

interface Source {
  readonly archive: Archive
  /** Where the archive lies, for its SRGs. */
  readonly path: string
}

export interface Importing extends Choice {
  readonly source: Source
  readonly projectId: number
  readonly caller: Caller
}

export interface Imported {
  readonly summary: Summary
  readonly warnings: readonly string[]
}

/**
 * Refuses an archive that cannot be imported into the project. What is in the catalogue is everybody's:
 * only site administrators bring an SRG there, also in an archive.
 */
export function requireImportable(
  { chosen, unknown, missing, conflicts }: Plan,
  { dryRun, caller }: { readonly dryRun: boolean; readonly caller: Caller },
): void {
  if (chosen.length === 0) throw refuse('No component of the archive is chosen.')
  if (unknown.length > 0) {
    const names = unknown.map(keyOf).join(', ')
    throw refuse(`The archive needs SRGs that are neither here nor in it: ${names}.`)
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

/** Imports into a project that is locked: all of it or nothing. */
export async function importArchive(writer: Writer, importing: Importing): Promise<Imported> {
  const { source, projectId } = importing
  const plan = await planImport(writer, source.archive, importing)
  requireImportable(plan, { dryRun: false, caller: importing.caller })
  await importSrgs(writer, plan, importing)
  const people = await findPeople(writer, source.archive, plan.chosen)
  for (const chosen of plan.chosen) await importComponent(writer, chosen, { ...importing, people })
  const members = importing.includeMemberships ? await addMembers(writer, importing, people) : 0
  await addMetadata(writer, source.archive, projectId)
  return {
    summary: summarise(plan, importing, members),
    warnings: warningsOf(plan, source.archive, importing),
  }
}

/** Reads the SRGs that are missing as any other upload is read; the rest of the archive is no SRG. */
async function importSrgs(
  writer: Writer,
  { missing }: Plan,
  { source, caller }: Importing,
): Promise<void> {
  const wanted = new Set(missing.map(keyOf))
  if (wanted.size === 0) return
  const reader = new UploadReader()
  try {
    for await (const item of reader.read(source.path, { documentType: 'srg' })) {
      if (item.kind === 'refused') continue
      const { kind, benchmarkId, version } = item.head
      const key = keyOf({ srg_id: benchmarkId, version })
      if (kind !== 'srg' || !wanted.delete(key)) continue
      await storeBenchmark(writer, item, { replace: false, actor: actorOf(caller) })
    }
  } catch (error) {
    // That there is none is told below, with what it should have been.
    if (!(error instanceof Refusal) || error.code !== 'no_benchmark_in_zip') throw error
  } finally {
    await reader.close()
  }
  if (wanted.size === 0) return
  throw refuse(`The archive names SRGs that cannot be read from it: ${[...wanted].join(', ')}.`)
}

/** Members of the archived project who have an account and are none of this one's; how many. */
async function addMembers(
  writer: Writer,
  { source, projectId, caller }: Importing,
  people: People,
): Promise<number> {
  const members = await writer
    .selectFrom('memberships')
    .select('user_id')
    .where('project_id', '=', projectId)
    .execute()
  const known = new Set(members.map(({ user_id }) => user_id))
  let added = 0
  for (const { email, role } of source.archive.project?.memberships ?? []) {
    const userId = people.idOf(email)
    if (userId === null || known.has(userId)) continue
    known.add(userId)
    await insertMembership(writer, { userId, projectId, role }, actorOf(caller))
    added += 1
  }
  return added
}

/** A project keeps its own. */
async function addMetadata(writer: Writer, { project }: Archive, projectId: number): Promise<void> {
  if (project === null || Object.keys(project.metadata).length === 0) return
  await writer
    .updateTable('projects')
    .set({ metadata: JSON.stringify(project.metadata) })
    .where('id', '=', projectId)
    .where('metadata', '=', '{}')
    .execute()
}
