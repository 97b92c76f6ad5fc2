import { defaultGraph, literal, namedNode, parse, Store, type Term as OxigraphTerm } from 'oxigraph'
import { disableInlinedWasmCalls } from '../platform/v8/flags.ts'
import type { Graph, IriBindings, Row } from './graph.ts'
import { bindValues, type Bindings, type Query } from './query.ts'
import { markLines, unmarkTerm, unmarkText } from './rewritten-literals.ts'
import { RowMaker } from './rows.ts'
import { splitDocument } from './split-document.ts'
import type { Term } from './term.ts'

// The library is WebAssembly.
disableInlinedWasmCalls()

const N_QUADS = 'application/n-quads'
const PIECE_BYTES = 128 * 1024
const PIECE_LINES = 100

type Binding = Readonly<Record<string, Term>>

/** The embedded Oxigraph store. The only file that touches the library. */
export class EmbeddedGraph implements Graph {
  readonly #store = new Store()
  readonly #rows = new RowMaker()
  #forgets = false

  /** The number of statements. */
  get size(): number {
    return this.#store.size
  }

  /**
   * Adds a document of the given media type completely, or throws the parser's error with line and column. Blank nodes
   * get new labels.
   */
  load(document: Uint8Array, mediaType: string, baseIri?: string): void {
    const base = baseIri === undefined ? {} : { base_iri: baseIri }
    this.#store.load(document, { format: mediaType, ...base })
  }

  /**
   * Adds N-Quads. Throws the parser's error, and may have added some of them by then. Blank nodes get new labels, so all
   * statements about one of them have to come in the same call.
   */
  loadLines(nquads: Uint8Array): void {
    loadLines(this.#store, nquads, { format: N_QUADS })
  }

  /** Like `load`, but literals keep their spelling. Takes longer, because the document is parsed twice. */
  loadAsWritten(document: Uint8Array, mediaType: string, baseIri?: string): void {
    const base = baseIri === undefined ? {} : { base_iri: baseIri }
    const quads = parse(document, { format: mediaType, ...base })
    const lines = quads.map((quad) => `${quad.toString()} .`)
    const nquads = markLines(lines, findRewritten).join('\n')
    this.#store.load(nquads, { format: N_QUADS, lenient: true })
  }

  /**
   * Adds N-Quads and keeps the labels of blank nodes, which `load` would replace at random: a release must always give
   * the same bytes. Adding quad by quad is slow, so only lines that may contain a blank node are added in this way.
   * Literals keep their spelling.
   */
  loadCanonical(nquads: string): void {
    const format = N_QUADS
    const lines = markLines(nquads.split('\n'), findRewritten)
    const blank = lines.filter((line) => line.includes('_:'))
    const named = lines.filter((line) => !line.includes('_:'))
    loadLines(this.#store, new TextEncoder().encode(named.join('\n')), { format, lenient: true })
    for (let from = 0; from < blank.length; from += PIECE_LINES) {
      const piece = blank.slice(from, from + PIECE_LINES).join('\n')
      for (const quad of parse(piece, { format, lenient: true })) {
        this.#store.add(quad)
        freeObject(quad)
      }
    }
  }

  /** Removes a named graph, if there is one. */
  removeGraph(iri: string): void {
    this.#store.update(`DROP SILENT GRAPH ${iriToken(iri)}`)
  }

  /**
   * From now on, rows share terms only within one answer. Otherwise a graph with many queries would keep all terms in
   * memory, even those that no row uses any more.
   */
  forgetTerms(): void {
    this.#rows.forget()
    this.#forgets = true
  }

  /** Runs a SPARQL 1.1 Update request; all of it or nothing. */
  update(request: string, bindings: Bindings = {}): void {
    this.#store.update(bindValues(request, bindings))
  }

  /** The statements of the default graph as N-Quads, in no particular order. */
  dump(): string {
    return unmarkText(this.#store.dump({ format: N_QUADS }))
  }

  select<Column extends string, Optional extends string>(
    query: Query<Column, Optional>,
    bind: IriBindings = {},
  ): Promise<readonly Row<Column, Optional>[]> {
    // Runs inside the promise, so that errors reject it.
    return new Promise((resolve) => {
      const bindings = Object.entries(bind).map(([variable, iris]) => [variable, iris.map(iriToken)] as const)
      const text = bindValues(query.text, Object.fromEntries(bindings))
      const rows = this.#run(text).map((binding) =>
        this.#rows.row(query, (column) => {
          const term = binding[column]
          return term && unmarkTerm(term)
        }),
      )
      if (this.#forgets) this.#rows.forget()
      resolve(rows)
    })
  }

  #run(query: string): readonly Binding[] {
    const answer = this.#store.query(query, { results_format: 'json' })
    if (typeof answer !== 'string') throw new Error('SELECT did not answer with text')
    const results: unknown = JSON.parse(answer)
    if (!isResults(results)) throw new Error('The query is not a SELECT')
    return results.results.bindings
  }
}

/** IRIs of the graphs that a query reads (SPARQL 1.1 Query, §13). */
export interface Dataset {
  /** Merged, they are the default graph. */
  readonly defaults: readonly string[]
  readonly named: readonly string[]
}

/** Named graphs for the queries of clients. Values of literals are as the store keeps them. */
export class NamedGraphs {
  readonly #store = new Store()

  /**
   * Adds N-Triples or N-Quads without graphs of their own. Throws the parser's error, and may have added some of them by
   * then. Blank nodes get new labels, so that they differ from those of other graphs.
   */
  load(iri: string, nTriples: Uint8Array): void {
    loadLines(this.#store, nTriples, { format: 'application/n-triples', to_graph_name: namedNode(iri), lenient: true })
  }

  remove(iri: string): void {
    this.#store.update(`DROP SILENT GRAPH ${iriToken(iri)}`)
  }

  /**
   * The answer of a query in a format of its kind, by media type. Throws the parser's error, with line and column.
   * After a `RangeError` or a `WebAssembly.RuntimeError` the graphs cannot be used any more.
   */
  answer(query: string, { dataset, ...how }: { dataset: Dataset; mediaType: string; baseIri: string }): string {
    const answer = this.#store.query(query, {
      base_iri: how.baseIri,
      results_format: how.mediaType,
      default_graph: dataset.defaults.map((iri) => namedNode(iri)),
      named_graphs: dataset.named.map((iri) => namedNode(iri)),
    })
    if (typeof answer !== 'string') throw new Error('The query was not answered with text')
    return answer
  }
}

/** A quad as plain objects in the shape of RDF/JS, for libraries that process many of them. */
export interface PlainQuad {
  readonly subject: PlainTerm
  readonly predicate: PlainTerm
  readonly object: PlainTerm
  readonly graph: PlainTerm
}

interface PlainTerm {
  readonly termType: string
  readonly value: string
  readonly language?: string
  readonly datatype?: PlainTerm
}

/** Reads N-Quads, keeping blank node labels. */
export function parseQuads(nquads: string): readonly PlainQuad[] {
  return parse(nquads, { format: 'application/n-quads', lenient: true }).map((quad) => ({
    subject: plainTerm(quad.subject),
    predicate: plainTerm(quad.predicate),
    object: plainTerm(quad.object),
    graph: plainTerm(quad.graph),
  }))
}

function plainTerm(term: OxigraphTerm): PlainTerm {
  const { termType, value } = term
  if (term.termType !== 'Literal') return { termType, value }
  return { termType, value, language: term.language, datatype: { termType: 'NamedNode', value: term.datatype.value } }
}

/** Converts N-Triples to another format. It blocks, so it is for small documents. */
export function convert(nTriples: string, mediaType: string): string {
  const store = new Store()
  store.load(nTriples, { format: 'application/n-triples' })
  const document = store.dump({ format: mediaType, from_graph_name: defaultGraph() })
  freeObject(store)
  return document
}

/**
 * Loads lines piece by piece. A transaction takes memory for everything that it adds, and WebAssembly never returns
 * memory: loading D3FEND in one piece takes 60 % more.
 */
function loadLines(store: Store, lines: Uint8Array, options: Parameters<Store['load']>[1] & object): void {
  for (const piece of splitDocument(lines, PIECE_BYTES)) store.load(piece, options)
}

/**
 * Frees the WebAssembly memory of an object of the library. Otherwise it would be freed only with the next garbage
 * collection, when the memory has already grown. All objects of the library have this function, but its types do not.
 */
function freeObject(object: object): void {
  const release: unknown = Reflect.get(object, 'free')
  if (typeof release === 'function') Reflect.apply(release, object, [])
}

/** Finds the literals that the store would rewrite, by storing them. */
function findRewritten(literals: ReadonlySet<string>): ReadonlySet<string> {
  const store = new Store()
  const lines = new Map(Array.from(literals, (literal, index) => [`<a:${index}> <a:p> ${literal} .`, literal]))
  store.load([...lines.keys()].join('\n'), { format: N_QUADS, lenient: true })
  const keptLines = new Set(store.dump({ format: N_QUADS }).split('\n'))
  freeObject(store)
  return new Set([...lines].flatMap(([line, literal]) => (keptLines.has(line) ? [] : [literal])))
}

/** An IRI as SPARQL writes it. Throws if the text is not an IRI. */
export function iriToken(value: string): string {
  return namedNode(value).toString()
}

/** A literal as SPARQL writes it, everything escaped. */
export function literalToken(value: string, datatype?: string): string {
  return literal(value, datatype === undefined ? undefined : namedNode(datatype)).toString()
}

function isResults(value: unknown): value is { results: { bindings: readonly Binding[] } } {
  return typeof value === 'object' && value !== null && 'results' in value
}
