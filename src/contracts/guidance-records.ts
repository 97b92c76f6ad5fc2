import type { GuidanceKind } from './sources.ts'

/** Words next to each other, as `readText` and `nameOf` give them. */
export interface Phrase {
  readonly words: readonly string[]
  /** True if the last word may be the beginning of a longer one. */
  readonly prefix: boolean
  /** True if the only word may be any part of a longer one. */
  readonly inside?: boolean
}

/** Phrases of which a record must have at least one. */
export interface PhraseAlternatives {
  readonly alternatives: readonly Phrase[]
}

/** Phrases that a record of guidance must have, or must not have. */
export interface GuidancePhrases {
  /** A record must have all of these. */
  readonly required: readonly PhraseAlternatives[]
  /** A record must have none of these. */
  readonly excluded?: readonly Phrase[]
  /** Fields that are searched: identifiers, the title, the check, or any text. */
  readonly searchedField: 'names' | 'title' | 'check' | 'anywhere'
}

/** Records of guidance that are searched. */
export interface GuidanceScope {
  readonly kinds: readonly GuidanceKind[]
  readonly severity: string | null
  /** Limits authored rules to one component. */
  readonly componentId?: number
  /** Record ids; null: the newest release of each line. Authored records are always searched. */
  readonly benchmarks: readonly number[] | 'all' | null
}

export interface GuidanceSearchRequest extends GuidancePhrases, GuidanceScope {
  /** Limit for each kind of record that is stored by itself. */
  readonly limit: number
  /** Sorts by similarity to this text; default: in the order of storing. */
  readonly rankBy?: string
}

/** Several searches in the same records. */
export interface NumbersRequest extends GuidanceScope {
  readonly searches: readonly GuidancePhrases[]
  /** For each kind of record. */
  readonly limit: number
}

/** Numbers of records by kind, in the order in which they were stored. */
export type RecordNumbers = ReadonlyMap<GuidanceKind, readonly number[]>

/** The benchmark of a rule or requirement. */
export interface RuleBenchmark {
  readonly id: number
  readonly kind: 'srg' | 'stig'
  readonly benchmarkId: string
  readonly title: string
  readonly version: string
}

/** A record of guidance that matches a request. */
export interface GuidanceMatch {
  readonly kind: GuidanceKind
  readonly recordId: number
  /** IRI of a catalogue rule; null for other records. */
  readonly iri: string | null
  /** Path of its JSON document. */
  readonly path: string
  readonly title: string
  /** Rule id, V-number, STIG id, SRG id …; the first one is shown. */
  readonly names: readonly string[]
  readonly severity: string | null
  readonly status: string | null
  readonly benchmark: RuleBenchmark | null
  readonly component: {
    readonly id: number
    readonly name: string
    readonly prefix: string
  } | null
  readonly ccis: readonly string[]
}

/** A text of a record with the name of its field: `title`, `fixtext`, `vuln_discussion`, `check` … */
export interface RecordText {
  readonly field: string
  readonly text: string
}

/** A rule of the catalogue with the CCIs that it cites. */
export interface CitingRule {
  readonly kind: 'rule' | 'requirement'
  readonly iri: string
  readonly ruleId: string
  readonly title: string
  /** Group, STIG or SRG id, older ids. */
  readonly identifiers: readonly string[]
  readonly ccis: readonly string[]
  readonly recordId: number
  readonly severity: string | null
  readonly benchmark: RuleBenchmark
}

/** Reads rules and CCIs of the catalogue. */
export interface RuleSource {
  /** The NIST control of each CCI: `AC-2 (1)`. */
  readonly controls: ReadonlyMap<string, string>
  /** The rule with an IRI, or with a name in the newest releases; null if there is none. */
  rule(name: string): Promise<CitingRule | null>
  /** See `Search.similarity`. */
  similarity(text: string, iris: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The rules that cite one of the CCIs, most similar to a text first. `isCut`: there may be more. */
  citing(
    ccis: readonly string[],
    which: { readonly limit: number; readonly rankBy: string },
  ): Promise<{ readonly rules: readonly CitingRule[]; readonly isCut: boolean }>
}
