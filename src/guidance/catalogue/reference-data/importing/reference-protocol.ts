import { z } from 'zod'
import { objectWith, listOf, type ExchangesOf, type Protocol } from '../../../../platform/threads/protocol.ts'
import type { ReferenceData } from '../items.ts'
import type { ReferenceDocument } from './unpack.ts'

/** A version of a list without its items. */
export interface ReferenceHead extends Omit<ReferenceData, 'items'>, Pick<ReferenceDocument, 'fileName' | 'digest'> {
  readonly itemCount: number
}

/** An item as it is stored. */
export interface ItemRow {
  readonly itemId: string
  /** JSON. */
  readonly document: string
  /** The controls that a CCI refers to, each once. */
  readonly controls: readonly { readonly revision: number; readonly control: string }[]
}

const exchanges = {
  /** Null: the file is not reference data. */
  open: {
    question: z.object({ file: z.string(), name: z.string(), isExpected: z.boolean() }),
    answer: z.nullable(objectWith<ReferenceHead>('kind', 'digest', 'itemCount')),
  },
  /** Returns the next items of the open file from a position on; none after the last one. */
  rows: { question: z.int(), answer: listOf<ItemRow>('itemId', 'document') },
}

export type ReferenceExchanges = ExchangesOf<typeof exchanges>

export const REFERENCE: Protocol<ReferenceExchanges> = exchanges
