import type {
  AttackDomain,
  GuidanceKind,
  GuidanceMatch,
  OntologyDocuments,
  OntologyRelations,
  RecordText,
} from './sources.ts'

/**
 * Gives the search index the records of guidance, and their changes. A module of guidance is loaded on the
 * thread of the index, which reads with a connection of its own.
 */
export interface SearchFeedModule {
  /** `data` is what guidance has handed out together with the address of the module; it can be cloned. */
  openFeed(data: unknown): Promise<SearchFeed>
}

/** The address of the module, and the data to open it with. */
export interface SearchFeedSource {
  readonly module: URL
  readonly data: unknown
}

export interface SearchFeed {
  /**
   * Changes after a position; after null, all records. The answer is null where the position is not one
   * of this database, as after a restore: then everything is to be read anew. `isMore`: there is more after this.
   */
  changes(after: FeedPosition | null): Promise<FeedChanges | null>
  /** Reads records for the index; deleted ones are left out. At most `MOST_RECORDS` at a time. */
  records(keys: readonly RecordKey[]): Promise<readonly FeedRecord[]>
  /** Numbers of the rules of a benchmark; none where it is gone. */
  rulesOf(benchmark: number): Promise<readonly number[]>
  /** All benchmarks and components. */
  owners(): Promise<readonly RecordOwner[]>
  /** Records as results show them, in the same order; deleted ones are left out. */
  matches(keys: readonly RecordKey[]): Promise<readonly GuidanceMatch[]>
  /** Texts of records as people read them, the most telling first; by `${kind} ${id}`. */
  texts(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, readonly RecordText[]>>
  /** Names the versions of the reference data that are used; another name where another version is. */
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
  /** As the ontology writes it: `CCI-000015`, `AC-2(1)`, `T1110.001`, `CWE-521`. */
  readonly id: string
  /** The id where there is no title. */
  readonly label: string
  readonly synonyms: readonly string[]
  /** Ids of the tactics of an attack: `TA0006`. */
  readonly tactics: readonly string[]
  readonly domain: AttackDomain | null
  readonly deprecated: boolean
  /** Without markup. */
  readonly texts: readonly ReferenceText[]
  /** Path of its JSON document. */
  readonly path: string
}

export interface ReferenceText extends RecordText {
  readonly field: ReferenceField
}

export const MOST_RECORDS = 200

/** A place in the history of a database; can be stored as JSON. */
export interface FeedPosition {
  /** Number of the last change that was read. */
  readonly sequence: number
  /** Tells that change from one with the same number in any other history. */
  readonly mark: string
}

export interface FeedChanges {
  /** Behind these. */
  readonly position: FeedPosition
  /** Authored rules and components that are new, changed or gone. */
  readonly records: readonly RecordKey[]
  /** Benchmarks that are new, replaced or gone, their rules with them; or whose owner reads differently. */
  readonly benchmarks: readonly number[]
  readonly isMore: boolean
}

export interface RecordKey {
  readonly kind: GuidanceKind
  readonly id: number
}

/** The benchmark of a rule or requirement; the component of an authored rule, and of itself. */
export interface RecordOwner {
  readonly of: 'benchmark' | 'component'
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

/** A record as the index takes it. */
export interface FeedRecord extends RecordKey {
  /** Number of its benchmark or component. */
  readonly owner: number
  readonly severity: string | null
  readonly title: string
  /** Its own identifiers as they are written, also shorter forms. */
  readonly names: readonly string[]
  /** Identifiers of what it refers to: CCIs, and of a rule the requirement of the SRG. */
  readonly cites: readonly string[]
  readonly fixes: readonly string[]
  readonly checks: readonly string[]
  /** Discussion, mitigations, and whatever else there is to read. */
  readonly texts: readonly string[]
  /** Titles of the documents that it is part of. */
  readonly context: string
}

/** The data and files that a search is made from. */
export interface SearchSources<Caller> {
  /** Null where there is none: CCIs, controls and guidance are found all the same. */
  readonly ontology: (OntologyDocuments & Pick<OntologyRelations, 'defenses'>) | null
  readonly feed: SearchFeedSource
  /** Numbers of the components whose content somebody may read. */
  readonly readable: (asker: Caller) => Promise<'all' | readonly number[]>
  /** By CCI: the NIST control that it belongs to, `AC-2 (1)`. */
  readonly controls: ReadonlyMap<string, string>
  /** Titles of controls: `AC-2` is Account Management. */
  readonly controlNames: ReadonlyMap<string, string>
  /** Short and long forms: `MFA`, `Multi-Factor Authentication`. */
  readonly abbreviations: readonly (readonly [string, string])[]
  /** The file that keeps the index for the next start; null: it is not kept. */
  readonly dumpFile: string | null
  /** False if another process writes that file; default: true. */
  readonly writesDump?: boolean
  /** Logs errors that no answer reports. */
  readonly log: Readonly<Record<'error' | 'warn', (facts: object, message: string) => void>>
}
