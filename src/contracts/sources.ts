/**
 * What the services hand to each other, each thing declared once: what the ontology and guidance know, and how
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

/** Kinds of records that guidance has: two of the catalogue, two that are authored. */
export const GUIDANCE_KINDS = ['requirement', 'rule', 'authored-rule', 'component'] as const

export type OntologyKind = (typeof ONTOLOGY_KINDS)[number]
export type GuidanceKind = (typeof GUIDANCE_KINDS)[number]

/** What a search can find. */
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
  /** What a technique of either side is for, by itself or by a class above it; sorted by IRI. */
  readonly tactics: readonly NamedRecord[]
}

/** What a control or CCI says of a technique; both are among the documents. */
export interface ControlLink {
  /** As `OntologyDocument.id` has it. */
  readonly control: string
  /** Of its document. */
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
  /** Of the current release, worked out once; rejects with `no_release` where there is none. */
  content(): Promise<OntologyContent>
}

/** A class that stands for another, and where it is in the tree: the other itself, above or below it. */
export interface Relative extends NamedRecord {
  readonly is: 'itself' | 'above' | 'below'
}

/** A way from a technique to an attack or a weakness: both touch an artifact. */
export interface Counter {
  /** IRI. */
  readonly technique: string
  /** Of whom the relation is stated. */
  readonly by: Relative
  /** `hardens` */
  readonly relation: string
  readonly artifact: NamedRecord
  /** What the other touches: the artifact or a kind of it. */
  readonly otherArtifact: Relative
  readonly otherRelation: string
  readonly otherBy: Relative
  readonly other: NamedRecord & {
    readonly kind: 'offensive-technique' | 'weakness'
    readonly id: string | null
  }
}

/** What an attack or a weakness does to an artifact. */
export interface Touch {
  /** Of whom the relation is stated. */
  readonly by: Relative
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
  /** What the technique defends: what is touched or asked for, or a relative of that. */
  readonly artifact: Relative
  /** Null where the subject is an artifact. */
  readonly attack: Touch | null
}

/** The ontology as documents and ways between them. Both lists are sorted and end after `limit` ways. */
export interface OntologyRelations extends OntologyDocuments {
  /** What some techniques (IRIs) counter. */
  counters(techniques: readonly string[], limit?: number): Promise<readonly Counter[]>
  /** What defends artifacts, or against offensive techniques and weaknesses. */
  defenses(subjects: readonly string[], limit?: number): Promise<readonly Defense[]>
}

/** A defensive technique: full IRI, first label, first identifier (`D3-AL`). */
export interface NamedTechnique {
  readonly iri: string
  readonly label: string | null
  readonly d3fendId: string | null
}

/** One statement of a control about a technique; IRIs are full. */
export interface ControlAssertion {
  /** The class of the control: `d3f:CCIControl` or `d3f:NISTControl`. */
  readonly kind: string
  readonly control: string
  /** What others call the control: `CCI-000015`, `AC-2(1)`. */
  readonly label: string
  /** The property, such as `d3f:narrower`. */
  readonly relation: string
  readonly technique: string
}

/** What a release says of controls, and all techniques that it could say it of. Sorted by IRI. */
export interface ControlAssertions extends OntologyRelease {
  readonly techniques: readonly NamedTechnique[]
  readonly assertions: readonly ControlAssertion[]
}

/** The ontology as far as it speaks of controls. */
export interface OntologyControls extends ServedOntology {
  /** Of the current release, worked out once; rejects with `no_release` where there is none. */
  controls(): Promise<ControlAssertions>
}

/** Words next to each other, as `readText` and `nameOf` give them. */
export interface Phrase {
  readonly words: readonly string[]
  /** Whether the last word may be the beginning of a longer one. */
  readonly prefix: boolean
}

/** Something that a record has to say, in any of several ways. */
export interface Meaning {
  readonly ways: readonly Phrase[]
}

export interface GuidanceQuestion {
  /** All of them have to be said. */
  readonly wanted: readonly Meaning[]
  /** None of these may be there. */
  readonly unwanted?: readonly Phrase[]
  /** Where the words have to be: among identifiers, in the title, or in any text. */
  readonly where: 'names' | 'title' | 'anywhere'
  readonly kinds: readonly GuidanceKind[]
  readonly severity: string | null
  /** Of authored rules: this component alone. */
  readonly componentId?: number
  /** Record ids; null: the newest release of each line. Of what is authored, all is looked at. */
  readonly benchmarks: readonly number[] | 'all' | null
  /** Of each kind of record that is stored by itself. */
  readonly limit: number
  /** In order of likeness to this text; without it, in the order in which they were stored. */
  readonly like?: string
}

/** The benchmark of a rule or requirement. */
export interface BenchmarkOfRule {
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
  /** Of catalogue rules. */
  readonly iri: string | null
  /** Of the JSON that has it. */
  readonly path: string
  readonly title: string
  /** Rule id, V-number, STIG id, SRG id …; the first one is shown. */
  readonly names: readonly string[]
  readonly severity: string | null
  readonly status: string | null
  readonly benchmark: BenchmarkOfRule | null
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
  readonly benchmark: BenchmarkOfRule
}

/** What the catalogue says of rules and CCIs. */
export interface RuleSource {
  /** By CCI: the NIST control that it belongs to, `AC-2 (1)`. */
  readonly controls: ReadonlyMap<string, string>
  /** The rule of an IRI, or the one that is called so in the newest releases; null where there is none. */
  rule(asked: string): Promise<CitingRule | null>
  /** See `Search.likeness`. */
  likeness(text: string, iris: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The rules that cite one of some CCIs, those first that are most like a text. `isCut`: there may be more. */
  citing(
    ccis: readonly string[],
    which: { readonly limit: number; readonly like: string },
  ): Promise<{ readonly rules: readonly CitingRule[]; readonly isCut: boolean }>
}
