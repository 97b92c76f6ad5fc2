import { z } from 'zod'
import { partsProtocol } from '../../../platform/threads/parts.ts'
import { objectWith, listOf, type ExchangesOf, type Protocol } from '../../../platform/threads/protocol.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { PackedBenchmark } from './packed.ts'
import type { ItemPosition, RefusedItem } from './upload.ts'

export interface PackedItem extends ItemPosition, PackedBenchmark {
  readonly kind: 'read'
}

const task = z.object({
  file: z.string(),
  documentType: z.enum(['srg', 'stig']).optional(),
  version: z.string().optional(),
})

/** A range of rules of the last item, in document order: `from` is included, `to` is not. */
const portion = z.object({ from: z.int(), to: z.int() })

const upload = {
  ...partsProtocol(task, objectWith<PackedItem | RefusedItem>('kind', 'member', 'done', 'total')),
  rules: { question: portion, answer: listOf<Rule>('ruleId') },
}

export type UploadTask = z.output<typeof task>
export type UploadExchanges = ExchangesOf<typeof upload>

/** The messages for reading the items of a file, and the rules of the last item. */
export const UPLOAD: Protocol<UploadExchanges> = upload
