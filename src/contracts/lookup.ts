import type { OntologyDocument, OntologyRelease, OpenedOntology } from './sources.ts'

/** A record of the ontology that was looked up by one of its names. */
export type LookupRecord = Omit<OntologyDocument, 'kind'> & {
  /** `resource`: it is described, and no record of another kind. */
  readonly kind: OntologyDocument['kind'] | 'resource'
  /** Path of the JSON document that has all of it. */
  readonly path: string
}

/** The record that a name stands for. */
export interface NameLookup {
  readonly record: LookupRecord
  /** Others that are called so in the same way; the first ones. */
  readonly also: readonly LookupRecord[]
}

/** Names looked up in one release; null for one that nothing has, in the order of the question. */
export interface NameLookups extends OntologyRelease {
  readonly found: readonly (NameLookup | null)[]
}

/** Records of the release that is served, many at once. */
export interface OntologyLookup extends OpenedOntology {
  /** By IRI, prefixed name, identifier, name without a prefix, label or synonym: the first that fits, in this order. */
  lookUp(names: readonly string[]): Promise<NameLookups>
  /** Names that are nearest to some that nothing has, best first. */
  nearest(names: readonly string[]): Promise<readonly (readonly string[])[]>
  /** Reads the JSON document at the path of a record in a release. */
  whole(path: string, version: string): Promise<Buffer>
}
