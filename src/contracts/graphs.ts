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
}

/** What a service has for everybody, as named graphs: never what is authored, or only for some. */
export interface PublicGraphs {
  list(): Promise<readonly PublicGraph[]>
  /** The statements as N-Triples in UTF-8; null where the graph is gone. */
  read(graph: PublicGraph): Promise<Uint8Array | null>
}
