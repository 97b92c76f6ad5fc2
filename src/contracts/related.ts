import type { CitingRule, RuleSource } from './guidance-records.ts'
import type { OntologyDocument, OntologyRelease, RecordKind } from './sources.ts'

/** Finds the records of ontology and catalogue that are linked to a subject. */
export interface RelatedSearch {
  /** Refuses an unknown subject, and a page out of range. */
  find(rules: RuleSource, request: RelatedRequest): Promise<RelatedAnswer>
}

export interface RelatedRequest {
  /** An IRI, a name or an id. */
  readonly subject: string
  /** Page of every list, from 1. */
  readonly page: number
  readonly perPage: number
}

/** Records that are linked to a subject, with the paths that lead there. */
export interface RelatedAnswer {
  readonly subject: RelatedSubject
  readonly ontology: OntologyRelease
  readonly techniques: RelatedPage<OntologyDocument>
  readonly offensiveTechniques: RelatedPage<OntologyDocument>
  readonly weaknesses: RelatedPage<OntologyDocument>
  readonly rules: RelatedPage<CitingRule>
  /** A sentence that says why no technique is related; null if one is. */
  readonly note: string | null
}

/** The record that the answer is about. */
export interface RelatedSubject {
  readonly kind: RecordKind
  readonly iri: string | null
  /** Prefixed name, or the id of a record outside the ontology. */
  readonly id: string
  readonly label: string
}

/** A page of a list. */
export interface RelatedPage<T> {
  readonly total: number
  /** True if there may be more than `total`. */
  readonly isCut: boolean
  readonly items: readonly RelatedItem<T>[]
}

export interface RelatedItem<T> {
  readonly item: T
  /** The first ones. */
  readonly paths: readonly RelatedPath[]
  readonly pathCount: number
}

/** A path from one record to another. */
export interface RelatedPath {
  /**
   * Names and relations in turn. A relation that is read backwards begins with `^`; a class leads to one
   * above it by `rdfs:subClassOf+`.
   */
  readonly path: readonly string[]
  readonly sentence: string
}
