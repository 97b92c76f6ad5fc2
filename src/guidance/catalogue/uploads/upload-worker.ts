import { partsHandlers } from '../../../platform/threads/parts.ts'
import { serve } from '../../../platform/threads/serve.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import { packBenchmark } from './packed.ts'
import { UPLOAD, type PackedItem, type UploadTask } from './upload-protocol.ts'
import { readUploadHere, type RefusedItem, type UploadItem } from './upload.ts'

/** The rules belong to the benchmark that was handed over last; they are fetched in portions. */
let rules: readonly Rule[] = []

const items = partsHandlers((task: UploadTask) => readUploadHere(task.file, task))

serve(UPLOAD, {
  open: (task) => packItem(() => items.open(task, [])),
  next: () => packItem(() => items.next(null, [])),
  rules: ({ from, to }) => rules.slice(from, to),
})

/** The rules of the previous item are released first, so that two benchmarks are never in memory. */
async function packItem(
  find: () => UploadItem | null | Promise<UploadItem | null>,
): Promise<PackedItem | RefusedItem | null> {
  rules = []
  const item = await find()
  if (item?.kind !== 'read') return item
  const { kind, member, done, total, source, ...read } = item
  rules = read.benchmark.rules
  return { kind, member, done, total, ...(await packBenchmark(read, source())) }
}
