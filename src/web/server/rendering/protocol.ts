import { z } from 'zod'
import { having, type ExchangesOf } from '../../../platform/threads/protocol.ts'

/** An answer of the API as it is asked for in process. */
export interface PackedAnswer {
  readonly address: string
  readonly status: number
  readonly coding: 'br' | 'gzip' | 'identity'
  readonly body: Uint8Array
}

/** The start of the thread. */
export const renderingStart = z.object({
  /** The parts of the copy in files whose pages are rendered; null: those of the service. */
  copy: z.object({ hasReleases: z.boolean(), hasCatalogue: z.boolean() }).readonly().nullable(),
})

export type CopyContent = NonNullable<z.output<typeof renderingStart>['copy']>

/** Questions to the thread that renders pages. */
export const RENDERING = {
  render: {
    question: z.object({
      /** Path and query of the page. */
      path: z.string(),
      /** Without a final slash. */
      baseUrl: z.string(),
      answers: z.array(having<PackedAnswer>('address', 'status', 'coding', 'body')).readonly(),
    }),
    answer: z.object({
      /** Null where answers are missing. */
      html: z.string().nullable(),
      title: z.string().nullable(),
      /** Addresses of the API that the page asks for as well. */
      missing: z.array(z.string()).readonly(),
    }),
  },
}

export type RenderingExchanges = ExchangesOf<typeof RENDERING>
export type RenderedPage = RenderingExchanges['render']['answer']
