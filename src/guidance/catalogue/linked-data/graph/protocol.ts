import type { IriBindings } from '../../../../graph/graph.ts'
import type { Query } from '../../../../graph/query.ts'
import type { Term } from '../../../../graph/term.ts'

/**
 * A change comes in parts: N-Quads (UTF-8) are gathered, and then put in the place of named graphs with
 * nobody asking in between, or forgotten.
 */
export type GraphRequest =
  | { readonly kind: 'gather'; readonly id: number; readonly part: Uint8Array }
  | { readonly kind: 'change'; readonly id: number; readonly remove: readonly string[] }
  | { readonly kind: 'forget'; readonly id: number }
  | {
      readonly kind: 'select'
      readonly id: number
      readonly query: Query<string, string>
      readonly bind: IriBindings
    }
  | { readonly kind: 'dump'; readonly id: number }

/** A row of a query, its columns not yet checked. */
export type RawRow = Readonly<Partial<Record<string, Term>>>

export type GraphReply =
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'changed'; readonly id: number; readonly size: number }
  | { readonly kind: 'rows'; readonly id: number; readonly rows: readonly RawRow[] }
  | { readonly kind: 'dumped'; readonly id: number; readonly nquads: string }
  | { readonly kind: 'failed'; readonly id: number; readonly stack: string }
