import type { Selectable } from 'kysely'
import { append } from '../../../../platform/append.ts'
import type { ComponentsTable } from '../../../database/schema/components.ts'
import type { Reader } from '../../../database/transaction.ts'

export interface SourceSrg {
  readonly id: number
  readonly srg_id: string
  readonly title: string
  readonly version: string
}

/** A component, with names in place of the ids to which it refers. */
export interface ArchiveHead {
  readonly component: Selectable<ComponentsTable>
  /** The SRGs from which it was made, the primary one first. */
  readonly sources: readonly SourceSrg[]
  readonly parent: {
    readonly name: string
    readonly prefix: string
    readonly project_name: string
  } | null
  /** The component in the manifest. */
  readonly entry: object
}

/** Finds components by id, ordered by id. */
export async function findHeads(reader: Reader, ids: readonly number[]): Promise<readonly ArchiveHead[]> {
  const components = await reader
    .selectFrom('components')
    .leftJoin('components as parent', 'parent.id', 'components.component_id')
    .leftJoin('projects', 'projects.id', 'parent.project_id')
    .selectAll('components')
    .select(['parent.name as parent_name', 'parent.prefix as parent_prefix'])
    .select('projects.name as parent_project')
    .where('components.id', 'in', ids)
    .orderBy('components.id')
    .execute()
  const sources = await findSources(reader, ids)
  const counts = await countRules(reader, ids)
  return components.map(({ parent_name, parent_prefix, parent_project, ...component }) => {
    const srgs = sources.get(component.id) ?? []
    const srgNames = srgs.map(({ srg_id, title, version }) => ({ srg_id, title, version }))
    const { name, prefix, version, release } = component
    const [primary] = srgNames
    const entry = {
      name,
      prefix,
      version,
      release,
      srg_id: primary?.srg_id,
      srg_title: primary?.title,
      srg_version: primary?.version,
      source_srgs: srgNames,
      rule_count: counts.get(component.id) ?? 0,
    }
    const parent =
      parent_name === null || parent_prefix === null || parent_project === null
        ? null
        : { name: parent_name, prefix: parent_prefix, project_name: parent_project }
    return { component, sources: srgs, parent, entry }
  })
}

async function findSources(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, readonly SourceSrg[]>> {
  const rows = await reader
    .selectFrom('component_srgs')
    .innerJoin('benchmarks', 'benchmarks.id', 'component_srgs.benchmark_id')
    .select(['component_srgs.component_id', 'benchmarks.id', 'benchmarks.benchmark_id as srg_id'])
    .select(['benchmarks.title', 'benchmarks.version'])
    .where('component_srgs.component_id', 'in', ids)
    .orderBy('component_srgs.position')
    .execute()
  const sources = new Map<number, SourceSrg[]>()
  for (const { component_id, ...srg } of rows) append(sources, component_id, srg)
  return sources
}

async function countRules(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await reader
    .selectFrom('rules')
    .select(['component_id', (is) => is.fn.countAll<number>().as('rules')])
    .where('component_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .groupBy('component_id')
    .execute()
  return new Map(rows.map(({ component_id, rules }) => [component_id, rules]))
}
