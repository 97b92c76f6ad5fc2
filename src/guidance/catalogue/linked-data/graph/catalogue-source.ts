import { nextTurn } from '../../../../platform/concurrency/turns.ts'
import type { Database } from '../../../database/database.ts'
import type { Reader } from '../../../database/transaction.ts'
import { findBenchmarkHead } from '../../benchmarks/reader.ts'
import { listReleases, type Release } from '../../benchmarks/releases.ts'
import { findIdents } from '../../benchmarks/rule-parts.ts'
import type { BenchmarkHead, Rule } from '../../xccdf/benchmark.ts'

/**
 * The graph holds no texts of rules: nobody queries them, and they are most of a catalogue. Requests for one rule read
 * them from the database.
 */
export type RuleInGraph = Pick<
  Rule,
  'groupId' | 'groupTitle' | 'idents' | 'ruleId' | 'severity' | 'status' | 'title' | 'version' | 'weight'
>

/** The graph reads the benchmarks from this source. */
export interface CatalogueSource {
  /** All releases, line by line, oldest first in each. */
  list(): Promise<readonly Release[]>
  /** Reads a benchmark by the id of its record. Refuses with `not_found` if it was deleted. */
  head(id: number): Promise<BenchmarkHead>
  /** In document order, in portions. */
  rules(id: number): AsyncIterable<readonly RuleInGraph[]>
}

export function catalogueSource({ read }: Pick<Database, 'read'>): CatalogueSource {
  return {
    list: () => listReleases(read),
    head: (id) => findBenchmarkHead(read, id),
    rules: (id) => findRulesInGraph(read, id),
  }
}

/** Rules of one query: SQLite blocks the thread, so other requests run in between. */
const BATCH_SIZE = 500

async function* findRulesInGraph(reader: Reader, benchmarkId: number): AsyncGenerator<readonly RuleInGraph[]> {
  for (let from = 0; ; from += BATCH_SIZE) {
    const to = from + BATCH_SIZE
    const rows = await reader
      .selectFrom('benchmark_rules')
      .select(['id', 'rule_id as ruleId', 'group_id as groupId', 'group_title as groupTitle'])
      .select(['version', 'title', 'severity', 'weight', 'status'])
      .where('benchmark_id', '=', benchmarkId)
      .where('position', '>=', from)
      .where('position', '<', to)
      .orderBy('position')
      .execute()
    const idents = await findIdents(reader, { benchmarkId, from, to })
    if (rows.length > 0) yield rows.map(({ id, ...rule }) => ({ ...rule, idents: idents.get(id) ?? [] }))
    if (rows.length < BATCH_SIZE) return
    await nextTurn()
  }
}
