import { shortId } from '../../../catalogue/xccdf/id.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Archive, ArchivedComponent } from '../format/archive.ts'
import type { SrgName } from '../format/schemas.ts'

export interface Choice {
  /** By the name in the archive, the name that it gets; null takes all as they are. */
  readonly filter: ReadonlyMap<string, string> | null
  readonly includeReviews: boolean
  readonly includeMemberships: boolean
}

/** A component that is to be imported, with the name that it gets. */
export interface Chosen extends ArchivedComponent {
  readonly name: string
}

export interface Plan {
  readonly chosen: readonly Chosen[]
  /** Names of chosen components that the project has already. */
  readonly conflicts: ReadonlySet<string>
  /** SRGs that are not in the catalogue, but in the archive. */
  readonly missing: readonly SrgName[]
  /** SRGs that are in neither. */
  readonly unknown: readonly SrgName[]
}

/** Compares an archive with what is there. Without a project, it gets a new one. */
export async function planImport(
  reader: Reader,
  archive: Archive,
  { filter, projectId }: Pick<Choice, 'filter'> & { readonly projectId: number | null },
): Promise<Plan> {
  const chosen = archive.components.flatMap((archived) => {
    const { name } = archived.component
    const wanted = filter === null ? name : filter.get(name)
    return wanted === undefined ? [] : [{ ...archived, name: wanted }]
  })
  const needed = neededSrgs(chosen)
  const there = await findKnown(reader, needed)
  const absent = needed.filter((srg) => !there.has(keyOf(srg)))
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

/** The SRGs of a component, the primary one first, each once. */
export function sourcesOf({ component }: ArchivedComponent): readonly SrgName[] {
  const all = [component.based_on, ...component.source_srgs]
  return [...new Map(all.map((srg) => [keyOf(srg), srg])).values()]
}

function neededSrgs(chosen: readonly Chosen[]): readonly SrgName[] {
  const all = chosen.flatMap(sourcesOf)
  return [...new Map(all.map((srg) => [keyOf(srg), srg])).values()]
}

/** Numbers of the SRGs in the catalogue. */
export async function findKnown(
  reader: Reader,
  srgs: readonly SrgName[],
): Promise<ReadonlyMap<string, number>> {
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
  chosen: readonly Chosen[],
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
