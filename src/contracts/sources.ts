/**
 * Data of the ontology that services exchange, each type declared once. A service imports these declarations, never the other
 * service.
 */

/** Kinds of records of the ontology. */
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
 * The knowledge bases of attacks. The first three have these names in MITRE ATT&CK Navigator, which does not have the others.
 */
export const ATTACK_DOMAINS = ['enterprise-attack', 'mobile-attack', 'ics-attack', 'atlas', 'sparta'] as const

export type AttackDomain = (typeof ATTACK_DOMAINS)[number]

/** Kinds of records of guidance: two of the catalogue, and two that are authored. */
export const GUIDANCE_KINDS = ['requirement', 'rule', 'authored-rule', 'component'] as const

export type OntologyKind = (typeof ONTOLOGY_KINDS)[number]
export type GuidanceKind = (typeof GUIDANCE_KINDS)[number]

/** Kinds of records that a search finds. */
export type RecordKind = OntologyKind | GuidanceKind

/** A release of the ontology: its version and the SHA-256 (hex) of what it states. */
export interface OntologyRelease {
  readonly version: string
  readonly digest: string
}

/** The release that is served, which may change any time. */
export interface ServedOntology {
  /** Null while no release is open. */
  current(): OntologyRelease | null
}

/** For answers that have to wait until the release is open. */
export interface OpenedOntology {
  /**
   * The release that is served, after the start; null if none is active. Rejects with `release_unusable` while the active
   * release is not open.
   */
  opened(): Promise<OntologyRelease | null>
}

/** A record of the ontology by its full IRI and its label. */
export interface NamedRecord {
  readonly iri: string
  readonly label: string
}

/** A record of the ontology in the form for searches. */
export interface OntologyDocument extends NamedRecord {
  readonly kind: OntologyKind
  /** `d3f:AccountLocking` */
  readonly name: string
  /** `D3-AL`, `T1110`, `TA0006`, `CWE-521`, `CCI-000015`, `AC-2(1)`; null if it has none. */
  readonly id: string | null
  /** `d3f:synonym`, `skos:altLabel` and further labels, sorted. */
  readonly synonyms: readonly string[]
  /** The definition, and for a technique the first part of its article, without markup. */
  readonly text: string
  /** Tactics of a technique or attack, its own and those of the classes above it; sorted by IRI. */
  readonly tactics: readonly NamedRecord[]
  /** The domain that the ontology states for an attack or an offensive tactic; null for others. */
  readonly domain: AttackDomain | null
  /** True if the ontology marks it as revoked or no longer maintained. */
  readonly deprecated: boolean
  /** Records that the ontology names in the place of a deprecated one, sorted by IRI. */
  readonly successors: readonly Successor[]
}

/** A record that replaces a deprecated one. */
export interface Successor extends NamedRecord {
  /** `d3f:T1560` */
  readonly name: string
  /** `T1560`; null if it has none. */
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

/** The searchable content of a release: documents by kind and IRI, links by control and technique. */
export interface OntologyContent extends OntologyRelease {
  readonly documents: readonly OntologyDocument[]
  readonly links: readonly ControlLink[]
  /** The IRIs of all tactics, in the order in which matrices show them. */
  readonly tacticOrder: readonly string[]
}

export interface OntologyDocuments extends ServedOntology {
  /** Belongs to the current release, and is computed once; rejects with `no_release` if there is none. */
  content(): Promise<OntologyContent>
}

/** A class with its position relative to another class: the same class, or one above or below it. */
export interface ClassRelative extends NamedRecord {
  readonly is: 'itself' | 'above' | 'below'
}

/** A path from a technique to an attack or a weakness by an artifact of both. */
export interface CounterPath {
  /** IRI. */
  readonly technique: string
  /** The class with the stated relation. */
  readonly by: ClassRelative
  /** `hardens` */
  readonly relation: string
  readonly artifact: NamedRecord
  /** The artifact of the attack: the same one or a kind of it. */
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
  /** The class with the stated relation. */
  readonly by: ClassRelative
  /** `modifies` */
  readonly relation: string
  readonly artifact: NamedRecord
}

/** A technique that defends an artifact of the subject, or the subject itself if that is an artifact. */
export interface Defense {
  /** IRI, as in the request. */
  readonly subject: string
  /** IRI. */
  readonly technique: string
  readonly relation: string
  /** The artifact that the technique defends: that of the subject, or a class above or below it. */
  readonly artifact: ClassRelative
  /** Null if the subject is an artifact. */
  readonly attack: ArtifactEffect | null
}

/** Documents of the ontology and paths between them. Both lists are sorted and end after `limit` paths. */
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

/** A statement that relates a control to a technique; IRIs are full. */
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
  /** The date in the release. */
  readonly releaseDate: string
  readonly techniques: readonly NamedTechnique[]
  readonly assertions: readonly ControlAssertion[]
}

/** The controls of the ontology. */
export interface OntologyControls extends OpenedOntology {
  /** Belongs to the current release, and is computed once; rejects with `no_release` if there is none. */
  controls(): Promise<ControlAssertions>
}

/** Reads a release by its version. All methods reject with `release_not_found` if there is none. */
export type ReleaseSources = Pick<OntologyControls, 'controls'> & Pick<OntologyRelations, 'content' | 'counters'>

/** Releases beside the active one, which are opened when they are requested. */
export interface OntologyReleases {
  at(version: string): ReleaseSources
  /** Versions of all stored releases, in no particular order. */
  versions(): Promise<readonly string[]>
}
