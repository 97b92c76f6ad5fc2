import type { Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'
import { stopWatching, watchForSearch, type SearchSource } from './search-triggers.ts'

/** The tables that 022-search-changes.ts watches, with the new column. */
const SOURCES: readonly SearchSource[] = [
  {
    table: 'benchmark_rules',
    on: ['update'],
    columns: [
      'benchmark_id',
      'rule_id',
      'group_id',
      'group_title',
      'version',
      'title',
      'severity',
      'vuln_discussion',
      'rationale',
      'mitigations',
    ],
    changed: (touched) => `select 'benchmark', benchmark_id from ${touched}`,
  },
  {
    table: 'rules',
    on: ['insert', 'update', 'delete'],
    columns: [
      'id',
      'component_id',
      'number',
      'title',
      'rule_severity',
      'version',
      'minted_id',
      'vuln_id',
      'legacy_ids',
      'ident',
      'fixtext',
      'vuln_discussion',
      'rationale',
      'mitigations',
      'vendor_comments',
      'status_justification',
      'artifact_description',
      'deleted_at',
    ],
    changed: (touched) => `select 'rule', id from ${touched}`,
  },
]

/** The rationale of XCCDF for rules and their sources; it is searched. */
export async function rationale(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  for (const source of SOURCES) {
    await db.schema.alterTable(source.table).addColumn('rationale', 'text').execute()
    await stopWatching(db, dialect, source)
    await watchForSearch(db, dialect, source)
  }
}
