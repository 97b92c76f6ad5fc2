import type { Query } from './query.ts'
import type { Term } from './term.ts'

export type Row<Column extends string, Optional extends string = never> = Readonly<
  Record<Column, Term> & Partial<Record<Optional, Term>>
>

/**
 * A read-only RDF graph behind SPARQL. Promises, so that a thread or a remote endpoint can stand
 * behind it. `bind` fills the one VALUES block named for the variable with IRIs.
 */
export interface Graph {
  select<Column extends string, Optional extends string>(
    query: Query<Column, Optional>,
    bind?: { readonly variable: string; readonly iris: readonly string[] },
  ): Promise<readonly Row<Column, Optional>[]>
}
