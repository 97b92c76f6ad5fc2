/** A graph that anybody may query. */
export interface PublicGraph {
  readonly iri: string
  /** Another one when the graph states something else. */
  readonly key: string
  /**
   * `default`: what a query is asked of that names no graph; `named`: there for every query; `pinned`: there for
   * queries that name it.
   */
  readonly role: 'default' | 'named' | 'pinned'
  /** For people. */
  readonly title: string
  /** A copy that an external engine holds. */
  readonly elsewhere?: EngineGraph
}

/** A graph of an engine that queries can be sent to. */
export interface EngineGraph {
  /** Name of the graph in the engine. */
  readonly graph: string
  /** Number of statements of the complete graph. */
  readonly statements: number
  /** True while the engine is known not to answer. */
  readonly isAway: () => boolean
}

/** Named graphs that everybody may query. Authored content is never among them. */
export interface PublicGraphs {
  list(): Promise<readonly PublicGraph[]>
  /**
   * The statements as N-Triples in UTF-8; null where the graph is gone. They may be newer than the list that named it, which
   * then has another key the next time.
   */
  read(graph: PublicGraph): Promise<Uint8Array | null>
}
