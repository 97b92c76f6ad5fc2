import type { OntologyDocument, OntologyRelease } from './sources.ts'

/** Something of the ontology, as it is looked up by any of its names. */
export type FoundRecord = Omit<OntologyDocument, 'kind'> & {
  /** `resource`: it is described, and no record of another kind. */
  readonly kind: OntologyDocument['kind'] | 'resource'
  /** Of the JSON that has it whole. */
  readonly path: string
}

/** What a name stands for. */
export interface FoundName {
  readonly record: FoundRecord
  /** Others that are called so in the same way; the first ones. */
  readonly also: readonly FoundRecord[]
}

/** Names looked up in one release; null for one that nothing has, in the order of the question. */
export interface FoundNames extends OntologyRelease {
  readonly found: readonly (FoundName | null)[]
}

/** Records of the release that is served, many at once. */
export interface OntologyLookup {
  /** By IRI, prefixed name, identifier, name without a prefix, label or synonym: the first that fits, in this order. */
  lookUp(names: readonly string[]): Promise<FoundNames>
  /** Names that are nearest to some that nothing has, best first. */
  nearest(names: readonly string[]): Promise<readonly (readonly string[])[]>
  /** What the path of a record answers: JSON. */
  whole(path: string): Promise<Buffer>
}
