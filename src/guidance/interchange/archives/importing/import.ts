import { actorOf, type Caller } from '../../../../http/caller.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { insertMembership } from '../../../authoring/memberships/writer.ts'
import { storeBenchmark, type NewBenchmark } from '../../../catalogue/benchmarks/writer.ts'
import type { Reader, Writer } from '../../../database/transaction.ts'
import type { Archive } from '../format/archive.ts'
import { importComponent } from './import-component.ts'
import { planMembers } from './members.ts'
import { findPeople } from './people.ts'
import { keyOf, planImport, type Choice, type Plan } from './plan.ts'
import { readSrgs } from './read-srgs.ts'
import { reportOf, type ImportReport } from './summary.ts'

/** An archive, and its SRGs that are not in the catalogue. */
interface Source {
  readonly archive: Archive
  readonly srgs: readonly NewBenchmark[]
}

interface Wanted extends Choice {
  /** Whether the caller may only find people whom they know. */
  readonly bounded: boolean
  readonly caller: Caller
}

interface Importing extends Wanted {
  readonly source: Source
  readonly projectId: number
}

/**
 * Refuses an archive that cannot be imported into the project. Everybody shares the catalogue, so only site
 * administrators may add an SRG, also from an archive.
 */
function requireImportable(
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

interface OpenedArchive {
  readonly archive: Archive
  /** The archive's file, which has its SRGs. */
  readonly path: string
}

/** The slow work before the transaction: refuses what cannot be imported, and reads the SRGs. */
export async function prepareImport(
  reader: Reader,
  { archive, path }: OpenedArchive,
  wanted: Choice & { readonly projectId: number | null; readonly caller: Caller },
): Promise<Source> {
  const plan = await planImport(reader, archive, wanted)
  requireImportable(plan, { dryRun: false, caller: wanted.caller })
  return { archive, srgs: await readSrgs(path, plan.missing) }
}

/** What an import would do, from the same checks; writes nothing. */
export async function tryImport(
  reader: Reader,
  archive: Archive,
  wanted: Wanted & { readonly projectId: number | null },
): Promise<ImportReport> {
  const plan = await planImport(reader, archive, wanted)
  requireImportable(plan, { dryRun: true, caller: wanted.caller })
  const people = await findPeople(reader, archive, { ...wanted, chosen: plan.chosen })
  const members = await planMembers(reader, archive, { ...wanted, people })
  const { summary, warnings } = reportOf(plan, archive, { ...wanted, people, members })
  const srg_details = plan.missing.map((srg) => ({ ...srg }))
  return { summary: { ...summary, dry_run: true, srg_details }, warnings }
}

/** Imports everything or nothing. The project must be locked. */
export async function importArchive(writer: Writer, importing: Importing): Promise<ImportReport> {
  const { source, projectId } = importing
  const plan = await planImport(writer, source.archive, importing)
  requireImportable(plan, { dryRun: false, caller: importing.caller })
  await storeSrgs(writer, plan, importing)
  const people = await findPeople(writer, source.archive, { ...importing, chosen: plan.chosen })
  const into = { ...importing, people: people.vouchedFor(importing.caller) }
  for (const chosen of plan.chosen) await importComponent(writer, chosen, into)
  const members = await planMembers(writer, source.archive, { ...importing, people })
  if (importing.includeMemberships)
    for (const { userId, role } of members.joining)
      await insertMembership(writer, { userId, projectId, role }, actorOf(importing.caller))
  await addMetadata(writer, source.archive, projectId)
  return reportOf(plan, source.archive, { ...importing, people, members })
}

/** Adds missing SRGs to the catalogue. */
async function storeSrgs(
  writer: Writer,
  { missing }: Plan,
  { source, caller }: Importing,
): Promise<void> {
  const read = new Map(source.srgs.map((srg) => [keyOf(nameOf(srg)), srg]))
  const lacking = missing.map(keyOf).filter((key) => !read.has(key))
  if (lacking.length > 0)
    throw refuse(`The archive names SRGs that cannot be read from it: ${lacking.join(', ')}.`)
  for (const srg of missing) {
    const found = read.get(keyOf(srg))
    if (found !== undefined)
      await storeBenchmark(writer, found, { replace: false, actor: actorOf(caller) })
  }
}

function nameOf({ head: { benchmarkId, version } }: NewBenchmark): Parameters<typeof keyOf>[0] {
  return { srg_id: benchmarkId, version }
}

/** Only if the project has no metadata. */
async function addMetadata(writer: Writer, { project }: Archive, projectId: number): Promise<void> {
  if (project === null || Object.keys(project.metadata).length === 0) return
  await writer
    .updateTable('projects')
    .set({ metadata: JSON.stringify(project.metadata) })
    .where('id', '=', projectId)
    .where('metadata', '=', '{}')
    .execute()
}
