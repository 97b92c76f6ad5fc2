import { Refusal } from '../../../../platform/errors.ts'
import type { NewBenchmark } from '../../../catalogue/benchmarks/writer.ts'
import { megabytes } from '../../../catalogue/files/limits.ts'
import { UploadReader, type ReceivedItem } from '../../../catalogue/uploads/upload-thread.ts'
import type { Rule } from '../../../catalogue/xccdf/benchmark.ts'
import { BATCH_SIZE, MAX_SRG_CHARACTERS } from '../format/limits.ts'
import type { SrgName } from '../format/schemas.ts'
import { keyOf } from './plan.ts'

/**
 * Reads SRGs of an archive on a thread, like any upload, before the transaction, which would make other writers wait.
 * Leaves out missing ones and other documents. Refuses `too_large`.
 */
export async function readSrgs(path: string, srgNames: readonly SrgName[]): Promise<readonly NewBenchmark[]> {
  const remaining = new Set(srgNames.map(keyOf))
  const srgs: NewBenchmark[] = []
  if (remaining.size === 0) return srgs
  const budget = { characters: MAX_SRG_CHARACTERS }
  const reader = new UploadReader()
  try {
    for await (const item of reader.read(path, { documentType: 'srg' })) {
      if (item.kind !== 'read') continue
      const { kind, benchmarkId, version } = item.head
      if (kind !== 'srg' || !remaining.delete(keyOf({ srg_id: benchmarkId, version }))) continue
      srgs.push(await readWithinBudget(item, budget))
      if (remaining.size === 0) break
    }
  } catch (error) {
    // The component that needs a missing SRG reports it.
    if (!(error instanceof Refusal) || error.code !== 'no_benchmark_in_zip') throw error
  } finally {
    await reader.close()
  }
  return srgs
}

async function readWithinBudget(item: ReceivedItem, budget: { characters: number }): Promise<NewBenchmark> {
  const rules: Rule[] = []
  while (rules.length < item.ruleCount) {
    const portion = await item.rules(rules.length, rules.length + BATCH_SIZE)
    budget.characters -= JSON.stringify(portion).length
    if (budget.characters < 0)
      throw new Refusal(
        'too_large',
        `The SRGs of the archive exceed the limit of ${megabytes(MAX_SRG_CHARACTERS)} together.`,
      )
    rules.push(...portion)
  }
  return { ...item, rules: (from, to) => Promise.resolve(rules.slice(from, to)) }
}
