/**
 * Data that the services hand to each other, each type declared once: what the ontology and guidance know, and how
 * the search asks for it. A service imports these declarations, never the other service.
 */

/** Kinds of records that the ontology has. */
export const ONTOLOGY_KINDS = [
  'technique',
  'tactic',
  'artifact',
  'offensive-technique',
  'weakness',
  'cci',
  'control',
] as const

/**
 * The bodies of knowledge that describe attacks. MITRE ATT&CK Navigator gives the first three these names; the others
 * have none in it.
 */
export const ATTACK_DOMAINS = ['enterprise-attack', 'mobile-attack', 'ics-attack', 'atlas', 'sparta'] as const

export type AttackDomain = (typeof ATTACK_DOMAINS)[number]

/** Kinds of records that guidance has: two of the catalogue, two that are authored. */
export const GUIDANCE_KINDS = ['requirement', 'rule', 'authored-rule', 'component'] as const

export type OntologyKind = (typeof ONTOLOGY_KINDS)[number]
export type GuidanceKind = (typeof GUIDANCE_KINDS)[number]

/** Kinds of records that a search finds. */
export type Kind = OntologyKind | GuidanceKind

/** A release of the ontology: its version and the SHA-256 (hex) of what it states. */
export interface OntologyRelease {
  readonly version: string
  readonly digest: string
}

/** The release that is served; another one may take its place any time. */
export interface ServedOntology {
  /** Null while no release is open. */
  current(): OntologyRelease | null
}

/** For answers that would be wrong before the release is open. */
export interface OpenedOntology {
  /**
   * The release that is served, once the start is over; null where none is active. Rejects with `release_unusable` while
   * the active one is not open.
   */
  opened(): Promise<OntologyRelease | null>
}

/** A record of the ontology by its full IRI and what it is called. */
export interface NamedRecord {
  readonly iri: string
  readonly label: string
}

/** A record of the ontology as somebody looks for it. */
export interface OntologyDocument extends NamedRecord {
  readonly kind: OntologyKind
  /** `d3f:AccountLocking` */
  readonly name: string
  /** `D3-AL`, `T1110`, `TA0006`, `CWE-521`, `CCI-000015`, `AC-2(1)`; null where it has none. */
  readonly id: string | null
  /** `d3f:synonym`, `skos:altLabel` and further labels, sorted. */
  readonly synonyms: readonly string[]
  /** Definition, and of a technique the first part of its article, without markup. */
  readonly text: string
  /** Tactics of a technique or attack, its own and those of the classes above it; sorted by IRI. */
  readonly tactics: readonly NamedRecord[]
  /** The domain that the ontology states for an attack or an offensive tactic; null for others. */
  readonly domain: AttackDomain | null
  /** True if the ontology marks it so: it was revoked, or is no longer kept up. */
  readonly deprecated: boolean
  /** Records that the ontology names in the place of a deprecated one, sorted by IRI. */
  readonly successors: readonly Successor[]
}

/** A record that takes the place of a deprecated one. */
export interface Successor extends NamedRecord {
  /** `d3f:T1560` */
  readonly name: string
  /** `T1560`; null where it has none. */
  readonly id: string | null
}

/** A link of a control or CCI to a technique; both are among the documents. */
export interface ControlLink {
  /** The `id` of its `OntologyDocument`. */
  readonly control: string
  /** Label of the control's document. */
  readonly label: string
  readonly kind: 'cci' | 'control'
  /** `narrower` */
  readonly relation: string
  /** IRI. */
  readonly technique: string
}

/** All that can be found in a release: documents by kind and IRI, links by control and technique. */
export interface OntologyContent extends OntologyRelease {
  readonly documents: readonly OntologyDocument[]
  readonly links: readonly ControlLink[]
  /** The IRIs of all tactics, in the order in which matrices show them. */
  readonly tacticOrder: readonly string[]
}

/** The ontology as documents. */
export interface OntologyDocuments extends ServedOntology {
  /** Belongs to the current release, and is computed once; rejects with `no_release` if there is none. */
  content(): Promise<OntologyContent>
}

/** A class that stands for another, and where it is in the tree: the other itself, above or below it. */
export interface ClassRelative extends NamedRecord {
  readonly is: 'itself' | 'above' | 'below'
}

/** A way from a technique to an attack or a weakness: both touch an artifact. */
export interface CounterPath {
  /** IRI. */
  readonly technique: string
  /** The class that the relation is stated of. */
  readonly by: ClassRelative
  /** `hardens` */
  readonly relation: string
  readonly artifact: NamedRecord
  /** The artifact that the attack touches: the same one or a kind of it. */
  readonly otherArtifact: ClassRelative
  readonly otherRelation: string
  readonly otherBy: ClassRelative
  readonly other: NamedRecord & {
    readonly kind: 'offensive-technique' | 'weakness'
    readonly id: string | null
  }
}

/** An effect of an attack or a weakness on an artifact. */
export interface ArtifactEffect {
  /** The class that the relation is stated of. */
  readonly by: ClassRelative
  /** `modifies` */
  readonly relation: string
  readonly artifact: NamedRecord
}

/** A technique that defends what a subject touches, or the subject itself where that is an artifact. */
export interface Defense {
  /** IRI, as it was asked for. */
  readonly subject: string
  /** IRI. */
  readonly technique: string
  readonly relation: string
  /** The artifact that the technique defends: the touched or requested one, or a class above or below it. */
  readonly artifact: ClassRelative
  /** Null where the subject is an artifact. */
  readonly attack: ArtifactEffect | null
}

/** The ontology as documents and ways between them. Both lists are sorted and end after `limit` ways. */
export interface OntologyRelations extends OntologyDocuments {
  /** Paths from techniques (IRIs) to the attacks and weaknesses that they counter. */
  counters(techniques: readonly string[], limit?: number): Promise<readonly CounterPath[]>
  /** Techniques that defend artifacts, or against offensive techniques and weaknesses. */
  defenses(subjects: readonly string[], limit?: number): Promise<readonly Defense[]>
}

/** A defensive technique: full IRI, first label, first identifier (`D3-AL`), and its tactics as documents have them. */
export interface NamedTechnique extends Pick<OntologyDocument, 'tactics'> {
  readonly iri: string
  readonly label: string | null
  readonly d3fendId: string | null
}

/** One statement of a control about a technique; IRIs are full. */
export interface ControlAssertion {
  /** The class of the control: `d3f:CCIControl` or `d3f:NISTControl`. */
  readonly kind: string
  readonly control: string
  /** The usual name of the control: `CCI-000015`, `AC-2(1)`. */
  readonly label: string
  /** The property, such as `d3f:narrower`. */
  readonly relation: string
  readonly technique: string
}

/** The statements of a release about controls, and all of its techniques. Sorted by IRI. */
export interface ControlAssertions extends OntologyRelease {
  readonly techniques: readonly NamedTechnique[]
  readonly assertions: readonly ControlAssertion[]
}

/** The ontology as far as it speaks of controls. */
export interface OntologyControls extends OpenedOntology {
  /** Belongs to the current release, and is computed once; rejects with `no_release` if there is none. */
  controls(): Promise<ControlAssertions>
}

/** Reads a release by its version. All methods reject with `release_not_found` if there is none. */
export type ReleaseSources = Pick<OntologyControls, 'controls'> & Pick<OntologyRelations, 'content' | 'counters'>

/** Releases beside the active one, which are opened when somebody asks for them. */
export interface OntologyReleases {
  at(version: string): ReleaseSources
  /** Versions of all stored releases, in no particular order. */
  versions(): Promise<readonly string[]>
}

/** Words next to each other, as `readText` and `nameOf` give them. */
export interface Phrase {
  readonly words: readonly string[]
  /** True if the last word may be the beginning of a longer one. */
  readonly prefix: boolean
  /** True if the only word may be any part of a longer one. */
  readonly inside?: boolean
}

/** Something that a record has to say, in any of several ways. */
export interface PhraseAlternatives {
  readonly ways: readonly Phrase[]
}

export interface GuidanceSearchRequest {
  /** All of them have to be said. */
  readonly wanted: readonly PhraseAlternatives[]
  /** None of these may be there. */
  readonly unwanted?: readonly Phrase[]
  /** Fields that are searched: identifiers, the title, the check, or any text. */
  readonly where: 'names' | 'title' | 'check' | 'anywhere'
  readonly kinds: readonly GuidanceKind[]
  readonly severity: string | null
  /** Limits authored rules to one component. */
  readonly componentId?: number
  /** Record ids; null: the newest release of each line. Of what is authored, all is looked at. */
  readonly benchmarks: readonly number[] | 'all' | null
  /** Limit for each kind of record that is stored by itself. */
  readonly limit: number
  /** In order of likeness to this text; without it, in the order in which they were stored. */
  readonly like?: string
}

/** The benchmark of a rule or requirement. */
export interface RuleBenchmark {
  readonly id: number
  readonly kind: 'srg' | 'stig'
  readonly benchmarkId: string
  readonly title: string
  readonly version: string
}

/** A record of guidance that fits a question. */
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

/** A text of a record as people read it: `title`, `fixtext`, `vuln_discussion`, `check` … */
export interface RecordText {
  readonly field: string
  readonly text: string
}

/** A rule of the catalogue, as far as records are related to it. */
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
  /** By CCI: the NIST control that it belongs to, `AC-2 (1)`. */
  readonly controls: ReadonlyMap<string, string>
  /** The rule of an IRI, or the one that is called so in the newest releases; null where there is none. */
  rule(name: string): Promise<CitingRule | null>
  /** See `Search.likeness`. */
  likeness(text: string, iris: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The rules that cite one of some CCIs, those first that are most like a text. `isCut`: there may be more. */
  citing(
    ccis: readonly string[],
    which: { readonly limit: number; readonly like: string },
  ): Promise<{ readonly rules: readonly CitingRule[]; readonly isCut: boolean }>
}
