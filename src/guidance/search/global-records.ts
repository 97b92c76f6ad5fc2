import { sql, type ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import { compareCodeUnits } from '../../graph/term.ts'
import type { Caller } from '../../http/caller.ts'
import { matcherOf } from '../catalogue/abbreviations/terms.ts'
import { matchesAny } from '../database/like.ts'
import type { Schema } from '../database/schema/schema.ts'
import type { Reader } from '../database/transaction.ts'
import { isMemberOfComponent, mayListProject, mayReadComponent } from '../parts/readable.ts'
import type { GlobalSearchResult } from './global-schemas.ts'

/** A search in whole records: any of the terms, anywhere in any of the fields. */
export interface RecordLookup {
  readonly text: string
  readonly terms: readonly string[]
  readonly limit: number
}

/** Member and discoverable projects, by name. */
export async function findProjects(
  reader: Reader,
  caller: Caller,
  { terms, limit }: RecordLookup,
): Promise<GlobalSearchResult['projects']> {
  return reader
    .selectFrom('projects')
    .select(['projects.id', 'projects.name', 'projects.description'])
    .select(sql<number>`(select count(*) from components where project_id = projects.id)`.as('components_count'))
    .where(mayListProject(caller))
    .where((is) => matchesAny([is.ref('projects.name_key'), is.ref('projects.description_key')], terms))
    .orderBy('projects.name_key')
    .orderBy('projects.id')
    .limit(limit)
    .execute()
}

const metadataColumn = z.record(z.string(), z.string())

/** Components whose content the caller may read, by name. Only members see and find their metadata. */
export async function findComponents(
  reader: Reader,
  caller: Caller,
  { terms, limit }: RecordLookup,
): Promise<GlobalSearchResult['components']> {
  const rows = await reader
    .selectFrom('components')
    .innerJoin('projects', 'projects.id', 'components.project_id')
    .select(['components.id', 'components.name', 'components.version', 'components.release'])
    .select('components.project_id')
    .select((is) => metadataFor(is, caller).as('metadata'))
    // Released components are public, but not the name of a hidden project.
    .select((is) => is.case().when(mayListProject(caller)).then(is.ref('projects.name')).end().as('project_name'))
    .where(mayReadComponent(caller))
    .where((is) =>
      matchesAny(
        [
          is.ref('components.name_key'),
          sql<string>`lower(components.prefix)`,
          sql<string | null>`lower(${metadataFor(is, caller)})`,
        ],
        terms,
      ),
    )
    .orderBy('components.name_key')
    .orderBy('components.id')
    .limit(limit)
    .execute()
  return rows.map(({ metadata, ...row }) => ({
    ...row,
    metadata: metadata === null ? null : metadataColumn.parse(JSON.parse(metadata)),
  }))
}

/** Null unless the caller is a member of the component. */
function metadataFor(is: ExpressionBuilder<Schema, 'components'>, caller: Caller) {
  return is.case().when(isMemberOfComponent(caller)).then(is.ref('components.metadata')).end()
}

type Benchmarks = Pick<GlobalSearchResult, 'srgs' | 'stigs'>

/** Releases of benchmarks, by title, the newest first. */
export async function findBenchmarks(reader: Reader, { text, limit }: RecordLookup): Promise<Benchmarks> {
  const matches = matcherOf(text)
  const rows = await reader
    .selectFrom('benchmarks')
    .select(['id', 'kind', 'benchmark_id', 'name', 'title', 'version', 'description'])
    .select(['major', 'minor', 'patch'])
    .execute()
  const records = rows
    .filter(({ kind, name, title, benchmark_id, description }) =>
      matches([name, title, benchmark_id, ...(kind === 'stig' ? [description ?? ''] : [])]),
    )
    .sort(
      (a, b) =>
        compareCodeUnits(a.title, b.title) ||
        b.major - a.major ||
        b.minor - a.minor ||
        b.patch - a.patch ||
        a.id - b.id,
    )
  const first = (kind: 'srg' | 'stig'): typeof records =>
    records.filter((record) => record.kind === kind).slice(0, limit)
  return {
    srgs: first('srg').map(({ id, benchmark_id: srg_id, name, title, version }) => {
      return { id, srg_id, name, title, version }
    }),
    stigs: first('stig').map(({ id, benchmark_id: stig_id, name, title, version, description }) => {
      return { id, stig_id, name, title, version, description }
    }),
  }
}
