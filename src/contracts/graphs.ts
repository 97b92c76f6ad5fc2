/** A graph that anybody may query. */
export interface PublicGraph {
  readonly iri: string
  /** Changes with the content of the graph. */
  readonly key: string
  /**
   * `default`: a query that names no graph reads it; `named`: every query can use it; `pinned`: only queries that name it
   * can use it.
   */
  readonly role: 'default' | 'named' | 'pinned'
  /** A name for people. */
  readonly title: string
  /** A copy in an external engine. */
  readonly engineCopy?: EngineGraph
}

/** A graph of an engine that queries can be sent to. */
export interface EngineGraph {
  /** Name of the graph in the engine. */
  readonly graph: string
  /** Number of statements of the complete graph. */
  readonly statements: number
  /** True while the engine does not answer. */
  readonly isUnavailable: () => boolean
}

/** Named graphs that everybody may query. Authored content is never among them. */
export interface PublicGraphs {
  list(): Promise<readonly PublicGraph[]>
  /**
   * The statements as N-Triples in UTF-8; null if the graph no longer exists. They may be newer than its `key`; the next
   * list then has another key.
   */
  read(graph: PublicGraph): Promise<Uint8Array | null>
}
