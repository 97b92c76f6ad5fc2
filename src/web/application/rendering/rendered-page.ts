import type { PreparedAnswer } from './prepared-answers.ts'

export interface RenderRequest {
  /** Path and query of the page. */
  readonly path: string
  /** Without a final slash. */
  readonly baseUrl: string
  readonly answers: readonly PreparedAnswer[]
}

export interface RenderedPage {
  /** Null if answers are missing. */
  readonly html: string | null
  readonly title: string | null
  /** Further addresses of the API that the page requests. */
  readonly missing: readonly string[]
}
