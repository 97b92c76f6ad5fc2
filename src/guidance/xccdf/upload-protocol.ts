import type { RefusalCode } from '../../platform/errors.ts'
import type { ReadOptions } from './benchmark.ts'
import type { UploadItem } from './upload.ts'

/** What a reading thread is started with. */
export interface UploadStart {
  readonly file: string
  readonly options: ReadOptions
}

/** Asks the thread for the next item; each is answered once. */
export const NEXT = 'next'

export type UploadReply =
  | { readonly kind: 'item'; readonly item: UploadItem }
  | { readonly kind: 'end' }
  | { readonly kind: 'refusal'; readonly code: RefusalCode; readonly detail: string }
  | { readonly kind: 'failure'; readonly stack: string }
