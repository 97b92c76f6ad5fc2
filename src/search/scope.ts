import type { GuidanceDocuments, Kind } from '../contracts/sources.ts'
import type { OntologyIndex } from './ontology-index.ts'

/** The records that a search considers. */
export interface Scope {
  readonly kinds: ReadonlySet<Kind>
  readonly severities: ReadonlySet<string>
  /** Record ids; null: the newest release of each line. */
  readonly benchmarks: readonly number[] | null
  /** Whether these are all benchmarks; then records that belong to none are considered as well. */
  readonly isAllReleases: boolean
}

/** What each step of a search works with. */
export interface SearchContext<Asker> {
  readonly asker: Asker
  readonly guidance: GuidanceDocuments<Asker>
  readonly index: OntologyIndex
  readonly scope: Scope
}
