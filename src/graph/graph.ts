import type { Query } from './query.ts'
import type { Term } from './term.ts'

export type Row<Column extends string, Optional extends string = never> = Readonly<
  Record<Column, Term> & Partial<Record<Optional, Term>>
>

/** IRIs by variable name. */
export type IriBindings = Readonly<Record<string, readonly string[]>>

/**
 * A read-only RDF graph behind SPARQL. Promises, so that a thread or a remote endpoint can stand
 * behind it. `bind` puts IRIs in the place of the sample in the VALUES blocks of that variable.
 */
export interface Graph {
  select<Column extends string, Optional extends string>(
    query: Query<Column, Optional>,
    bind?: IriBindings,
  ): Promise<readonly Row<Column, Optional>[]>
}
