import type {
  GuidanceMatch,
  GuidanceSearchRequest,
  NumbersRequest,
  RecordNumbers,
  RecordText,
} from './guidance-records.ts'
import type { SearchAnswer, Suggestion } from './search-answer.ts'
import type { RecordKey } from './search-feed.ts'
import type { AttackDomain, RecordKind } from './sources.ts'

/** The search as other services call it. */
export interface Search<Caller> {
  /** Refuses with `page_out_of_range`. */
  unified(caller: Caller, request: SearchRequest): Promise<SearchAnswer>
  /** Completes a text that is being typed. */
  suggest(caller: Caller, text: string, limit: number): Promise<Suggestions>
  /** Records of guidance that match a request and that the caller may read. */
  findMatches(caller: Caller, request: GuidanceSearchRequest): Promise<readonly GuidanceMatch[]>
  /** Numbers of the records that match and that the caller may read, for each of several searches. */
  findNumbers(caller: Caller, request: NumbersRequest): Promise<readonly RecordNumbers[]>
  /** Texts of records, by `${kind} ${id}`; the most informative first. */
  texts(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, readonly RecordText[]>>
  /** Similarity of records of the ontology to a text, 0.45 to 1, by IRI; unknown records are left out. */
  similarity(text: string, iris: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Identifiers of the catalogue that are most similar to each unknown name, best first. */
  findSimilarNames(names: readonly string[]): Promise<readonly (readonly string[])[]>
  /** True while the index is being read: at the start, or after its thread has died. */
  readonly isPreparing: boolean
  /** When the index last had all committed changes, in milliseconds since 1970; null: not yet. */
  readonly upToDateAt: number | null
  /** Reads the index before the first request, with the ontology that is there once `opened` has settled. */
  prepare(opened: Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** Selects releases of benchmarks. */
export interface BenchmarkChoice {
  /** Record ids or benchmark ids; empty: all. */
  readonly benchmarks: readonly string[]
  /** Only the newest release of each product, or all releases. */
  readonly releases: 'latest' | 'all'
}

/** Benchmarks of the catalogue by their names. */
export interface BenchmarkNames {
  /** The record ids of the selected releases; null: all. Refuses with `parameter_invalid` for an unknown name. */
  choose(choice: BenchmarkChoice): Promise<Pick<SearchRequest, 'benchmarks' | 'releases'>>
  /** The newest releases of benchmarks whose title or id contains a text, best first. */
  complete(text: string): Promise<readonly Suggestion[]>
}

/** A request of the search; empty lists do not filter. */
export interface SearchRequest {
  readonly text: string
  readonly kinds: readonly RecordKind[]
  readonly severities: readonly string[]
  /** Ids, `d3f:Harden` or `Harden`, or labels. */
  readonly tactics: readonly string[]
  readonly domains: readonly AttackDomain[]
  /** Record ids; null: no filter. */
  readonly benchmarks: readonly number[] | null
  /** Record ids of the releases to search; null: the newest of each line. */
  readonly releases: readonly number[] | null
  /** Groups rules with the same text for different products into one result. */
  readonly isFolded: boolean
  readonly isExplained: boolean
  /** Adds the best results of each kind. */
  readonly isGrouped: boolean
  /** From 1; counted from the cursor. */
  readonly page: number
  readonly perPage: number
  /** The cursor of an earlier answer; null: from the first result. */
  readonly cursor: string | null
}

/** Suggestions, the best ones first. */
export interface Suggestions {
  /** Records that have the whole text as identifier, label, synonym or title. */
  readonly named: readonly Suggestion[]
  readonly others: readonly Suggestion[]
}
