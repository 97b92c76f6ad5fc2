import type { Query } from './query.ts'
import type { Term } from './term.ts'

export type Row<Column extends string, Optional extends string = never> = Readonly<
  Record<Column, Term> & Partial<Record<Optional, Term>>
>

/** IRIs by variable name. */
export type IriBindings = Readonly<Record<string, readonly string[]>>

/**
 * A read-only RDF graph behind SPARQL. It returns promises because it may be a thread or a remote endpoint. `bind`
 * replaces the sample in the VALUES blocks of a variable by IRIs.
 */
export interface Graph {
  select<Column extends string, Optional extends string>(
    query: Query<Column, Optional>,
    bind?: IriBindings,
  ): Promise<readonly Row<Column, Optional>[]>
}
