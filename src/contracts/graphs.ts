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
  /** Where else it is held, if it is. */
  readonly elsewhere?: HeldElsewhere
}

/** A graph of an engine that queries can be sent to. */
export interface HeldElsewhere {
  /** What it is called there. */
  readonly graph: string
  /** How many it has if all of them are there. */
  readonly statements: number
  /** Whether the engine is known to be away at present. */
  readonly isAway: () => boolean
}

/** What a service has for everybody, as named graphs: never what is authored, or only for some. */
export interface PublicGraphs {
  list(): Promise<readonly PublicGraph[]>
  /**
   * The statements as N-Triples in UTF-8; null where the graph is gone. They may be newer than the list that named it, which
   * then has another key the next time.
   */
  read(graph: PublicGraph): Promise<Uint8Array | null>
}
