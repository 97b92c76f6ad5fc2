import type { Wanted } from '../platform/words.ts'

/**
 * What the search asks of others. The ontology hands in its documents once per release, guidance
 * answers from its full-text tables; both implement this structurally and import nothing of it.
 */

/** What a search can find. */
export type Kind =
  | 'technique'
  | 'tactic'
  | 'artifact'
  | 'offensive-technique'
  | 'weakness'
  | 'cci'
  | 'control'
  | GuidanceKind

export type GuidanceKind = 'requirement' | 'rule' | 'authored-rule' | 'component'

/** A record of the ontology, as it is told once per release. */
export interface OntologyDocument {
  readonly kind: Exclude<Kind, GuidanceKind>
  readonly iri: string
  /** `d3f:AccountLocking` */
  readonly name: string
  /** `D3-AL`, `T1110`, `CWE-521`, `CCI-000015`, `AC-2(1)`; null where it has none. */
  readonly id: string | null
  readonly label: string
  readonly synonyms: readonly string[]
  /** Its definition; of a control also its name. */
  readonly text: string
  /** Of a technique or an offensive technique. */
  readonly tactics: readonly { readonly iri: string; readonly label: string }[]
}

/** What the ontology says of a control or CCI and a technique. */
export interface ControlLink {
  /** As `OntologyDocument.id` has it. */
  readonly control: string
  readonly label: string
  readonly kind: 'cci' | 'control'
  /** `narrower` … */
  readonly relation: string
  /** IRI. */
  readonly technique: string
}

export interface OntologyContent {
  readonly version: string
  readonly digest: string
  readonly documents: readonly OntologyDocument[]
  readonly links: readonly ControlLink[]
}

export interface OntologyDocuments {
  /** The release that is served; null when there is none. */
  current(): { readonly version: string; readonly digest: string } | null
  /** Of the release that is served. */
  content(): Promise<OntologyContent>
}

/** A record of guidance that fits a question. */
export interface GuidanceMatch {
  readonly kind: GuidanceKind
  readonly recordId: number
  /** Of catalogue rules. */
  readonly iri: string | null
  /** Of its JSON. */
  readonly path: string
  readonly title: string
  /** Rule id, V-number, STIG id, SRG id …; the first one is shown. */
  readonly names: readonly string[]
  readonly severity: string | null
  readonly status: string | null
  readonly benchmark: {
    readonly id: number
    readonly kind: string
    readonly benchmarkId: string
    readonly title: string
    readonly version: string | null
  } | null
  readonly component: {
    readonly id: number
    readonly name: string
    readonly prefix: string | null
  } | null
  readonly ccis: readonly string[]
}

export interface GuidanceQuestion {
  /** All of them have to be met. */
  readonly wanted: readonly Wanted[]
  readonly where: 'names' | 'title' | 'anywhere'
  readonly kinds: readonly GuidanceKind[]
  readonly severity: string | null
  /** Record ids; null: the newest release of each line. What is authored is of no benchmark. */
  readonly benchmarks: readonly number[] | null
  /** Of each kind of record that is stored by itself. */
  readonly limit: number
}

/**
 * Guidance, as far as `Asker` may see it. Who that is, the search does not know.
 */
export interface GuidanceDocuments<Asker> {
  /** In order of kind and id, at most `limit` of catalogue rules, of authored ones and of components. */
  find(asker: Asker, question: GuidanceQuestion): Promise<readonly GuidanceMatch[]>
  /** Texts to cut snippets from, by `${kind} ${recordId}`. */
  texts(
    matches: readonly Pick<GuidanceMatch, 'kind' | 'recordId'>[],
  ): Promise<ReadonlyMap<string, readonly { readonly field: string; readonly text: string }[]>>
  /** The NIST controls of a CCI, `AC-2 (1)`, as the list in `data/controls` has them. */
  controlsOf(cci: string): readonly string[]
  /** Every CCI of that list. */
  allCcis(): readonly string[]
  /** Words in titles of the open catalogue that begin so, for spelling help. */
  titleWords(beginning: string): Promise<readonly string[]>
}
