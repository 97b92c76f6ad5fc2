import { z } from 'zod'
import { objectWith, type ExchangesOf } from '../../../platform/threads/protocol.ts'

/** An answer of the API within the process. */
export interface PackedAnswer {
  readonly address: string
  readonly status: number
  readonly coding: 'br' | 'gzip' | 'identity'
  readonly body: Uint8Array
}

/** The data that the thread starts with. */
export const renderingStart = z.object({
  /** The content of a copy in files; null: pages of the service. */
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
      answers: z.array(objectWith<PackedAnswer>('address', 'status', 'coding', 'body')).readonly(),
    }),
    answer: z.object({
      /** Null if answers are missing. */
      html: z.string().nullable(),
      title: z.string().nullable(),
      /** Further addresses of the API that the page requests. */
      missing: z.array(z.string()).readonly(),
    }),
  },
}

export type RenderingExchanges = ExchangesOf<typeof RENDERING>
export type RenderedPage = RenderingExchanges['render']['answer']
