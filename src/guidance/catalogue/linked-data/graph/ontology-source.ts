/** A release of the ontology: its version and the SHA-256 (hex) of what it states. */
export interface OntologyRelease {
  readonly version: string
  readonly digest: string
}

/** A defensive technique: full IRI, label, identifier (`D3-AL`). */
export interface Technique {
  readonly iri: string
  readonly label: string | null
  readonly d3fendId: string | null
}

/** One statement of a control about a technique; IRIs are full. */
export interface ControlAssertion {
  /** The class of the control: `d3f:CCIControl` or `d3f:NISTControl`. */
  readonly kind: string
  readonly control: string
  /** `CCI-000015`, `AC-2(1)`. */
  readonly label: string
  readonly relation: string
  readonly technique: string
}

export interface ControlAssertions extends OntologyRelease {
  /** All of the release, with or without controls. */
  readonly techniques: readonly Technique[]
  readonly assertions: readonly ControlAssertion[]
}

/** What is needed of the ontology. Another release may take the place of the current one any time. */
export interface OntologySource {
  /** Null while no release is open. */
  current(): OntologyRelease | null
  /** Of the current release; says itself which one that was. */
  controls(): Promise<ControlAssertions>
}
