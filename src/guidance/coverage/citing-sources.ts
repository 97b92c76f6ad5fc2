import type { CitingSource } from '../../contracts/list-coverage.ts'
import { append } from '../../platform/append.ts'
import { latestOf, listReleases } from '../catalogue/benchmarks/releases.ts'
import { findCiting, type CitingRule } from '../catalogue/linked-data/countermeasures/citations.ts'
import type { Reader } from '../database/transaction.ts'

/** Finds the newest releases of all benchmarks, each with the rules that cite any of the CCIs. */
export async function findCitingSources(reader: Reader, ccis: ReadonlySet<string>): Promise<readonly CitingSource[]> {
  const rules = new Map<number, CitingRule[]>()
  for (const rule of await findCiting(reader, ccis)) append(rules, rule.benchmarkId, rule)
  return latestOf(await listReleases(reader)).map(({ id, kind, benchmarkId, title, version }) => {
    return { kind, id, name: benchmarkId, title, version, path: `/${kind}s/${id}`, rules: rules.get(id) ?? [] }
  })
}
