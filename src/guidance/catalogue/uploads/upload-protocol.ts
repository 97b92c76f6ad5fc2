import type { RefusalCode } from '../../../platform/errors.ts'
import type { DialectName } from '../../database/dialect.ts'
import type { ReadyWords } from '../../database/words/ready.ts'
import type { ReadOptions, Rule } from '../xccdf/benchmark.ts'
import type { PackedBenchmark } from './packed.ts'
import type { ItemPlace, RefusedItem } from './upload.ts'

export interface ReadHow extends ReadOptions {
  /** Of the database that the rules are for; null: nobody asks for words. */
  readonly dialect: DialectName | null
}

/** Some rules, in document order: `from` is among them, `to` is not. */
export interface Portion {
  readonly from: number
  readonly to: number
}

/** A file, its next item, or some rules of the last one and what a database is to find them by. */
export type UploadRequest =
  | { readonly kind: 'open'; readonly file: string; readonly how: ReadHow }
  | { readonly kind: 'next' }
  | ({ readonly kind: 'rules' | 'words' } & Portion)

export interface PackedItem extends ItemPlace, PackedBenchmark {
  readonly kind: 'read'
}

/** Each request is answered once, before the next one is made. */
export type UploadReply =
  | { readonly kind: 'opened' }
  | { readonly kind: 'item'; readonly item: PackedItem | RefusedItem }
  | { readonly kind: 'rules'; readonly rules: readonly Rule[] }
  | { readonly kind: 'words'; readonly words: ReadyWords }
  | { readonly kind: 'end' }
  | { readonly kind: 'refusal'; readonly code: RefusalCode; readonly detail: string }
  | { readonly kind: 'failure'; readonly stack: string }
