import type { RefusalCode } from '../../platform/errors.ts'
import type { ReadOptions, Rule } from './benchmark.ts'
import type { PackedBenchmark } from './packed.ts'
import type { Place, RefusedItem } from './upload.ts'

/** A file, its next item, or some rules of the last one: `from` is among them, `to` is not. */
export type UploadRequest =
  | { readonly kind: 'open'; readonly file: string; readonly options: ReadOptions }
  | { readonly kind: 'next' }
  | { readonly kind: 'rules'; readonly from: number; readonly to: number }

export interface PackedItem extends Place, PackedBenchmark {
  readonly kind: 'read'
}

/** Each request is answered once, before the next one is made. */
export type UploadReply =
  | { readonly kind: 'opened' }
  | { readonly kind: 'item'; readonly item: PackedItem | RefusedItem }
  | { readonly kind: 'rules'; readonly rules: readonly Rule[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'refusal'; readonly code: RefusalCode; readonly detail: string }
  | { readonly kind: 'failure'; readonly stack: string }
