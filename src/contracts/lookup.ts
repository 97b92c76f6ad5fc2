import type { OntologyDocument, OntologyRelease, OpenedOntology } from './sources.ts'

/** A record of the ontology, as a look-up by one of its names answers it. */
export type LookupRecord = Omit<OntologyDocument, 'kind'> & {
  /** `resource`: described by the ontology, but of none of the other kinds. */
  readonly kind: OntologyDocument['kind'] | 'resource'
  /** Path of its complete JSON document. */
  readonly path: string
}

/** The result of looking up a name. */
export interface NameLookup {
  readonly record: LookupRecord
  /** The first other records that match the name equally well. */
  readonly others: readonly LookupRecord[]
}

/** Results in one release, in the order of the names; null for an unknown name. */
export interface NameLookups extends OntologyRelease {
  readonly found: readonly (NameLookup | null)[]
}

/** Looks up records of the release that is served, many at once. */
export interface OntologyLookup extends OpenedOntology {
  /** Tries IRI, prefixed name, identifier, name without a prefix, label and synonym, in this order. */
  lookUp(names: readonly string[]): Promise<NameLookups>
  /** Existing names that are most similar to each unknown name, best first. */
  findSimilarNames(names: readonly string[]): Promise<readonly (readonly string[])[]>
  /** Reads the JSON document of a record in a release, by its path. */
  readDocument(path: string, version: string): Promise<Buffer>
}
