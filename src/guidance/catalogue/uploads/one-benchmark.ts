import { Refusal } from '../../../platform/errors.ts'
import { sizeOf } from '../../../platform/files/file-kinds.ts'
import type { ReadBenchmark, ReadOptions } from '../xccdf/benchmark.ts'
import { readUploadHere, type RefusedItem } from './upload.ts'

/**
 * Reads the only benchmark of an XCCDF file or a zip. Blocks the thread. Refuses like `readUploadHere`, and files with
 * several benchmarks (`usage`).
 */
export async function readOneBenchmark(file: string, options: ReadOptions): Promise<ReadBenchmark> {
  await sizeOf(file)
  const refused: RefusedItem[] = []
  let readBenchmark: ReadBenchmark | null = null
  for await (const item of readUploadHere(file, options)) {
    if (item.kind === 'refused') refused.push(item)
    if (item.kind !== 'read') continue
    if (readBenchmark !== null) throw severalBenchmarks(readBenchmark, item)
    const { benchmark, warnings } = item
    readBenchmark = { benchmark, warnings }
  }
  if (readBenchmark !== null) return readBenchmark
  const [first] = refused
  if (first === undefined) throw new Refusal('no_benchmark_in_zip', 'The file holds no benchmark.')
  throw new Refusal(first.code, `${first.member}: ${first.detail}`)
}

function severalBenchmarks(first: ReadBenchmark, second: ReadBenchmark): Refusal {
  const names = [first, second].map(({ benchmark }) => `${benchmark.benchmarkId} ${benchmark.version}`)
  return new Refusal(
    'usage',
    `The file holds several benchmarks, such as ${names.join(' and ')}. Name a file with one.`,
  )
}
