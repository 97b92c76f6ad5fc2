import type { GuidanceMatch, RecordText } from './guidance-records.ts'
import type { AttackDomain, GuidanceKind, OntologyDocuments, OntologyRelations } from './sources.ts'

/**
 * Gives the search index the records of guidance, and their changes. A module of guidance is loaded on the
 * thread of the index, which reads with a connection of its own.
 */
export interface SearchFeedModule {
  /** `data` is the data of the `SearchFeedSource`. */
  openFeed(data: unknown): Promise<SearchFeed>
}

/** The address of the module, and the data to open it with, which can be cloned. */
export interface SearchFeedSource {
  readonly module: URL
  readonly data: unknown
}

export interface SearchFeed {
  /**
   * Changes after a position; for null, all records. The answer is null if the position is not of this database, as after
   * a restore: the index then has to be rebuilt.
   */
  changes(after: FeedPosition | null): Promise<FeedChanges | null>
  /** Reads records for the index; deleted ones are left out. At most `MAX_RECORDS` at a time. */
  records(keys: readonly RecordKey[]): Promise<readonly FeedRecord[]>
  /** Numbers of the rules of a benchmark; empty if it no longer exists. */
  rulesOf(benchmark: number): Promise<readonly number[]>
  /** All benchmarks and components. */
  owners(): Promise<readonly RecordOwner[]>
  /** Records in the form of search results, in the same order; deleted ones are left out. */
  matches(keys: readonly RecordKey[]): Promise<readonly GuidanceMatch[]>
  /** Texts of records, the most informative first; by `${kind} ${id}`. */
  texts(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, readonly RecordText[]>>
  /** Identifies the versions of the reference data that are used. */
  referenceVersion(): Promise<string>
  /** All records of these versions. */
  referenceRecords(): AsyncIterable<ReferenceRecord>
  close(): Promise<void>
}

/** Fields of texts that come from reference data, beside those of the ontology. */
export type ReferenceField = 'definition' | 'procedure' | 'observed'

/** A CCI, control, attack or weakness as the CCI list, SP 800-53, ATT&CK or CWE describes it. */
export interface ReferenceRecord {
  readonly kind: 'cci' | 'control' | 'offensive-technique' | 'weakness'
  /** Spelt as in the ontology: `CCI-000015`, `AC-2(1)`, `T1110.001`, `CWE-521`. */
  readonly id: string
  /** The title, or the id if it has no title. */
  readonly label: string
  readonly synonyms: readonly string[]
  /** Ids of the tactics of an attack: `TA0006`. */
  readonly tactics: readonly string[]
  readonly domain: AttackDomain | null
  /** Withdrawn, revoked or deprecated. */
  readonly deprecated: boolean
  /** Without markup. */
  readonly texts: readonly ReferenceText[]
  /** Path of its JSON document. */
  readonly path: string
}

export interface ReferenceText extends RecordText {
  readonly field: ReferenceField
}

export const MAX_RECORDS = 200

/** A position in the log of changes of a database; can be stored as JSON. */
export interface FeedPosition {
  /** Number of the last change that was read. */
  readonly sequence: number
  /** A random value of that change: another database, or a restored one, has another value at the same number. */
  readonly mark: string
}

export interface FeedChanges {
  /** The position after these changes. */
  readonly position: FeedPosition
  /** Authored rules and components that were added, changed or deleted. */
  readonly records: readonly RecordKey[]
  /** Benchmarks that were added, replaced or deleted with their rules, or whose title or newest release changed. */
  readonly benchmarks: readonly number[]
  /** Whether there are further changes. */
  readonly isMore: boolean
}

export interface RecordKey {
  readonly kind: GuidanceKind
  readonly id: number
}

/** The benchmark of a rule or requirement, or the component of an authored rule. A component is its own owner. */
export interface RecordOwner {
  readonly kind: 'benchmark' | 'component'
  readonly id: number
  readonly title: string
  /** Further names: `RHEL_9_STIG`, a prefix. */
  readonly names: readonly string[]
  readonly benchmark: {
    readonly kind: 'srg' | 'stig'
    /** `V2R7` */
    readonly version: string
    /** Shared by the releases of one product. */
    readonly line: string
    readonly isNewest: boolean
    /** `2025-01-30` */
    readonly releaseDate: string | null
  } | null
}

/** A record in the form in which it is indexed. */
export interface FeedRecord extends RecordKey {
  /** Number of its benchmark or component. */
  readonly owner: number
  readonly severity: string | null
  readonly title: string
  /** Its identifiers, with their shorter forms. */
  readonly names: readonly string[]
  /** Identifiers that it refers to: CCIs, and for a rule the requirement of the SRG. */
  readonly cites: readonly string[]
  readonly fixes: readonly string[]
  readonly checks: readonly string[]
  /** Discussion, mitigations and all other texts. */
  readonly texts: readonly string[]
  /** Title of its benchmark or component. */
  readonly context: string
}

/** The data and files that a search is made from. */
export interface SearchSources<Caller> {
  /** Null if there is no ontology; CCIs, controls and guidance are found anyway. */
  readonly ontology: (OntologyDocuments & Pick<OntologyRelations, 'defenses'>) | null
  readonly feed: SearchFeedSource
  /** Numbers of the components that the caller may read. */
  readonly readableComponents: (caller: Caller) => Promise<'all' | readonly number[]>
  /** The NIST control of each CCI: `AC-2 (1)`. */
  readonly controls: ReadonlyMap<string, string>
  /** Titles of controls: `AC-2` is Account Management. */
  readonly controlNames: ReadonlyMap<string, string>
  /** Short and long forms: `MFA`, `Multi-Factor Authentication`. */
  readonly abbreviations: readonly (readonly [string, string])[]
  /** The file that stores the index for the next start; null: it is not stored. */
  readonly dumpFile: string | null
  /** False if another process writes that file; default: true. */
  readonly writesDump?: boolean
  /** Logs errors that no answer reports. */
  readonly log: Readonly<Record<'error' | 'warn', (facts: object, message: string) => void>>
}
