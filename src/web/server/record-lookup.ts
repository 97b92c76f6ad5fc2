import type { Feeds, RecordHead } from './page-head.ts'

/** Looks up the records of pages at the API. */
export interface RecordLookup {
  /** Whether the API has a record at a path, in the named or the active release of the ontology. */
  readonly hasRecord: (path: string, version: string | null) => Promise<boolean>
  /** Describes the record at a path of the API for the head of its page; null if there is no public record. */
  readonly describeRecord: (path: string, version: string | null) => Promise<RecordHead | null>
  readonly feeds: Feeds
  /** The path of the page of the resource whose IRI has this path; null if there is none. */
  readonly pageOf: (path: string) => Promise<string | null>
  /** The path of the page for an identifier, in the named or the active release of the ontology. */
  readonly pageNamed: (name: string, version: string | null) => Promise<string | null>
  /** The media types in which the API describes resources. */
  readonly resourceTypes: readonly string[]
  /** The media types of answers to SPARQL queries; null if there is no endpoint. */
  readonly queryTypes: readonly string[] | null
  /** Paths of the API, with `{name}` for a parameter. */
  readonly apiPaths: readonly string[]
  /** Name of the cookie of sessions. */
  readonly sessionCookie: string
}
