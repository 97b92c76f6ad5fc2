import { z } from 'zod'
import { partsProtocol } from '../../../platform/threads/parts.ts'
import {
  having,
  listOf,
  type ExchangesOf,
  type Protocol,
} from '../../../platform/threads/protocol.ts'
import type { ReadyWords } from '../../database/words/ready.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import type { PackedBenchmark } from './packed.ts'
import type { ItemPlace, RefusedItem } from './upload.ts'

export interface PackedItem extends ItemPlace, PackedBenchmark {
  readonly kind: 'read'
}

const task = z.object({
  file: z.string(),
  documentType: z.enum(['srg', 'stig']).optional(),
  version: z.string().optional(),
  /** Of the database that the rules are for; null: nobody asks for words. */
  dialect: z.enum(['sqlite', 'postgres']).nullable(),
})

/** Some rules of the last item, in document order: `from` is among them, `to` is not. */
const portion = z.object({ from: z.int(), to: z.int() })

const upload = {
  ...partsProtocol(task, having<PackedItem | RefusedItem>('kind', 'member', 'done', 'total')),
  rules: { question: portion, answer: listOf<Rule>('ruleId') },
  words: { question: portion, answer: having<ReadyWords>('entries', 'titleWords') },
}

export type UploadTask = z.output<typeof task>
export type Portion = z.output<typeof portion>
export type UploadExchanges = ExchangesOf<typeof upload>

/** The items of a file, and of the last one its rules and what a database is to find them by. */
export const UPLOAD: Protocol<UploadExchanges> = upload
