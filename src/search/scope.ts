import type { GuidanceDocuments, Kind } from '../contracts/sources.ts'
import type { OntologyIndex } from './ontology-index.ts'

/** Which records are asked for at all. */
export interface Scope {
  readonly kinds: ReadonlySet<Kind>
  readonly severities: ReadonlySet<string>
  /** Record ids; null: the newest release of each line. */
  readonly benchmarks: readonly number[] | null
  /** Whether these are all benchmarks, so that what belongs to none is asked for as well. */
  readonly isAllReleases: boolean
}

/** What a search has to work with. */
export interface SearchContext<Asker> {
  readonly asker: Asker
  readonly guidance: GuidanceDocuments<Asker>
  readonly index: OntologyIndex
  readonly scope: Scope
}
