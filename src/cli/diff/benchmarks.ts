import { changesOfBenchmarks } from '../../guidance/catalogue/open/changes/compare-files.ts'
import { readOneBenchmark } from '../../guidance/catalogue/uploads/one-benchmark.ts'
import type { ReadOptions } from '../../guidance/catalogue/xccdf/benchmark.ts'
import { withFileName } from '../with-file-name.ts'
import type { ChangedItem, Comparison } from './changes.ts'

type Changes = Awaited<ReturnType<typeof changesOfBenchmarks>>

/** Compares two releases of a benchmark, as `/api/catalogue/benchmarks/…/changes/…` does. */
export async function compareBenchmarks(older: string, newer: string, options: ReadOptions): Promise<Comparison> {
  const from = await withFileName(older, () => readOneBenchmark(older, options))
  const to = await withFileName(newer, () => readOneBenchmark(newer, options))
  const changes = await changesOfBenchmarks(from.benchmark, to.benchmark)
  const { added, removed, changed, unchanged } = changes.counts
  return {
    from: nameOf(changes.from),
    to: nameOf(changes.to),
    summary: `${added} ${added === 1 ? 'rule' : 'rules'} added, ${removed} removed, ${changed} changed, ${unchanged} unchanged`,
    isSame: added + removed + changed === 0,
    items: changes.rules.flatMap(itemOf),
    json: changes,
  }
}

function nameOf({ benchmark_id, version, date }: Changes['from']): string {
  return [benchmark_id, version, ...(date === null ? [] : [`(${date})`])].join(' ')
}

function itemOf({ status, before, after, changes }: Changes['rules'][number]): readonly ChangedItem[] {
  const rule = after ?? before
  if (status === 'unchanged' || rule === null) return []
  const fields = changes.map(({ field, ...texts }) => ({
    field,
    before: texts.before ?? '',
    after: texts.after ?? '',
  }))
  const names = [...(rule.version === null ? [] : [rule.version]), rule.rule_id]
  const note = status === 'changed' ? fields.map(({ field }) => field).join(', ') : rule.severity
  return [{ change: status, names, title: rule.title, note, fields }]
}
