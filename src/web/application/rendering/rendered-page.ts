import type { PreparedAnswer } from './prepared-answers.ts'

export interface RenderRequest {
  /** Path and query of the page. */
  readonly path: string
  /** Without a final slash. */
  readonly baseUrl: string
  readonly answers: readonly PreparedAnswer[]
}

export interface RenderedPage {
  /** Null where answers are missing. */
  readonly html: string | null
  readonly title: string | null
  /** Addresses of the API that the page asks for as well. */
  readonly missing: readonly string[]
}
