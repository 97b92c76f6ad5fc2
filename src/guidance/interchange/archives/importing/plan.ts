import { shortId } from '../../../catalogue/xccdf/id.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Archive, ArchivedComponent } from '../format/archive.ts'
import type { SrgName } from '../format/schemas.ts'

export interface ImportChoice {
  /** New names of the components to import, by their name in the archive. Null imports all under their own names. */
  readonly filter: ReadonlyMap<string, string> | null
  readonly includeReviews: boolean
  readonly includeMemberships: boolean
}

/** A component to import, with its new name. */
export interface ChosenComponent extends ArchivedComponent {
  readonly name: string
}

export interface Plan {
  readonly chosen: readonly ChosenComponent[]
  /** New names that components in the project already have. */
  readonly conflicts: ReadonlySet<string>
  /** SRGs that are in the archive and not in the catalogue. */
  readonly missing: readonly SrgName[]
  /** SRGs that are neither in the archive nor in the catalogue. */
  readonly unknown: readonly SrgName[]
}

/** Compares an archive with the database. Without a project, it plans for a new one. */
export async function planImport(
  reader: Reader,
  archive: Archive,
  { filter, projectId }: Pick<ImportChoice, 'filter'> & { readonly projectId: number | null },
): Promise<Plan> {
  const chosen = archive.components.flatMap((archived) => {
    const { name } = archived.component
    const newName = filter === null ? name : filter.get(name)
    return newName === undefined ? [] : [{ ...archived, name: newName }]
  })
  const required = neededSrgs(chosen)
  const knownSrgs = await findKnown(reader, required)
  const absent = required.filter((srg) => !knownSrgs.has(keyOf(srg)))
  const enclosed = new Set(archive.srgs.map(keyOf))
  return {
    chosen,
    conflicts: await findConflicts(reader, chosen, projectId),
    missing: absent.filter((srg) => enclosed.has(keyOf(srg))),
    unknown: absent.filter((srg) => !enclosed.has(keyOf(srg))),
  }
}

export function keyOf({ srg_id, version }: Pick<SrgName, 'srg_id' | 'version'>): string {
  return `${shortId('benchmark', srg_id)} ${version}`
}

/** The SRGs of a component, the primary one first, without duplicates. */
export function sourcesOf({ component }: ArchivedComponent): readonly SrgName[] {
  const srgs = [component.based_on, ...component.source_srgs]
  return [...new Map(srgs.map((srg) => [keyOf(srg), srg])).values()]
}

function neededSrgs(chosen: readonly ChosenComponent[]): readonly SrgName[] {
  const srgs = chosen.flatMap(sourcesOf)
  return [...new Map(srgs.map((srg) => [keyOf(srg), srg])).values()]
}

/** Finds the ids of SRGs in the catalogue. */
export async function findKnown(reader: Reader, srgs: readonly SrgName[]): Promise<ReadonlyMap<string, number>> {
  const ids = [...new Set(srgs.map(({ srg_id }) => shortId('benchmark', srg_id)))]
  if (ids.length === 0) return new Map()
  const rows = await reader
    .selectFrom('benchmarks')
    .select(['id', 'benchmark_id as srg_id', 'version'])
    .where('kind', '=', 'srg')
    .where('benchmark_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [keyOf(row), row.id]))
}

async function findConflicts(
  reader: Reader,
  chosen: readonly ChosenComponent[],
  projectId: number | null,
): Promise<ReadonlySet<string>> {
  if (projectId === null || chosen.length === 0) return new Set()
  const names = chosen.map(({ name }) => name)
  const rows = await reader
    .selectFrom('components')
    .select('name')
    .where('project_id', '=', projectId)
    .where('name', 'in', names)
    .execute()
  return new Set(rows.map(({ name }) => name))
}
