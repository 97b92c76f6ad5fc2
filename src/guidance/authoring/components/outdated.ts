import { latestOf, lineKey, listReleases } from '../../catalogue/benchmarks/releases.ts'
import type { Reader } from '../../database/transaction.ts'
import { LAST_STAGING_ID } from '../../parts/staging.ts'

/** A component whose SRG has a newer release in the catalogue. */
export interface OutdatedComponent {
  readonly project: string
  readonly component: string
  readonly basedOn: string
  readonly newest: string
}

/** Unreleased components based on an older release of their SRG, by project and name. */
export async function findOutdated(reader: Reader): Promise<readonly OutdatedComponent[]> {
  const releases = await listReleases(reader)
  const newestOf = new Map(latestOf(releases).map((release) => [lineKey(release), release]))
  const byId = new Map(releases.map((release) => [release.id, release]))
  const rows = await reader
    .selectFrom('components')
    .innerJoin('projects', 'projects.id', 'components.project_id')
    .select(['components.security_requirements_guide_id as srg', 'components.name as component'])
    .select('projects.name as project')
    .where('components.released', '=', 0)
    .where('components.project_id', '>', LAST_STAGING_ID)
    .orderBy('projects.name')
    .orderBy('components.name_key')
    .execute()
  return rows.flatMap(({ srg, component, project }) => {
    const basis = byId.get(srg)
    const newest = basis === undefined ? undefined : newestOf.get(lineKey(basis))
    if (basis === undefined || newest === undefined || newest.id === basis.id) return []
    const basedOn = `${basis.benchmarkId} ${basis.version}`
    return [{ project, component, basedOn, newest: newest.version }]
  })
}
