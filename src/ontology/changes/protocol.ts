import { z } from 'zod'
import { CODINGS } from '../../http/answer/negotiation.ts'
import { objectWith, type ExchangesOf, type Protocol } from '../../platform/threads/protocol.ts'
import { manifestSchema } from '../release/manifest.ts'
import type { RenderedAnswer } from '../render/render.ts'

const comparing = {
  /** Compares two complete releases. */
  changes: {
    question: z.object({
      from: manifestSchema,
      to: manifestSchema,
      form: z.enum(['json', 'csv']),
      coding: z.enum(CODINGS),
    }),
    answer: objectWith<RenderedAnswer>('mediaType', 'coding', 'body', 'length', 'sha256'),
  },
}

export type CompareExchanges = ExchangesOf<typeof comparing>

export const COMPARING: Protocol<CompareExchanges> = comparing

export const compareStart = z.object({ dataDir: z.string() })
