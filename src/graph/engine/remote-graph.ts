import type { QueryEngine } from '@comunica/query-sparql'
import type { Graph, IriBindings, Row } from '../graph.ts'
import { bindValues, type Query } from '../query.ts'
import { RowMaker } from '../rows.ts'
import { iriToken } from '../store.ts'
import type { Term } from '../term.ts'
import { RDF as RDF_NAMESPACE, xsd } from '../vocabulary.ts'
import type { SparqlEngine } from './engine.ts'

/** From this many rows on, the rows are counted: many engines cut answers without an error. */
const MAYBE_CUT = 1000

/** A term in the shape of RDF/JS. */
interface RdfTerm {
  readonly termType: string
  readonly value: string
  readonly language?: string
  readonly datatype?: { readonly value: string }
}

/** A row as Comunica gives it. */
interface Solution {
  get(name: string): RdfTerm | undefined
}

/** A graph of another engine, queried with Comunica. */
export class RemoteGraph implements Graph {
  readonly #engine: SparqlEngine
  readonly #comunica: QueryEngine
  readonly #graph: string
  readonly #rows = new RowMaker()

  private constructor(engine: SparqlEngine, graph: string, comunica: QueryEngine) {
    this.#engine = engine
    this.#graph = graph
    this.#comunica = comunica
  }

  /** Comunica takes a second to load and may not be installed, so it is loaded only if there is another engine. */
  static async open(engine: SparqlEngine, graph: string): Promise<RemoteGraph> {
    const comunica = await import('@comunica/query-sparql')
    return new RemoteGraph(engine, graph, new comunica.QueryEngine())
  }

  /** The number of statements. */
  async size(): Promise<number> {
    return this.#count('SELECT ?s ?p ?o WHERE { ?s ?p ?o }')
  }

  async select<Column extends string, Optional extends string>(
    query: Query<Column, Optional>,
    bind: IriBindings = {},
  ): Promise<readonly Row<Column, Optional>[]> {
    const bindings = Object.entries(bind).map(([variable, iris]) => [variable, iris.map(iriToken)] as const)
    const text = bindValues(query.text, Object.fromEntries(bindings))
    const names = [...query.columns, ...query.optional]
    const first = await this.#ask(wrapInGraph(this.#graph, text))
    const rows = first.length < MAYBE_CUT ? first : await this.#rest(text, names, first)
    return rows.map((solution) =>
      this.#rows.row(query, (column) => {
        const term = solution.get(column)
        return term && toTerm(term)
      }),
    )
  }

  /** All rows of a query, given its first ones; requested in pages if the engine has cut them. */
  async #rest(text: string, names: readonly string[], first: readonly Solution[]): Promise<readonly Solution[]> {
    const total = await this.#count(text)
    if (total <= first.length) return first
    const columns = names.map((name) => `?${name}`).join(' ')
    const [prologue, select] = split(wrapInGraph(this.#graph, text))
    const rows: Solution[] = []
    while (rows.length < total) {
      const page = await this.#ask(
        `${prologue} SELECT ${columns} WHERE { { ${select} ORDER BY ${columns} } } LIMIT ${first.length} OFFSET ${rows.length}`,
      )
      if (page.length === 0) throw new Error(`The engine has ${total} rows but returned ${rows.length}: ${text}`)
      rows.push(...page)
    }
    return rows
  }

  async #count(text: string): Promise<number> {
    const [prologue, select] = split(wrapInGraph(this.#graph, text))
    const [row] = await this.#ask(`${prologue} SELECT (COUNT(*) AS ?total) WHERE { { ${select} } }`)
    return Number(row?.get('total')?.value)
  }

  async #ask(text: string): Promise<readonly Solution[]> {
    const stream = await this.#comunica.queryBindings(text, {
      sources: [{ type: 'sparql', value: this.#engine.url }],
      fetch: this.#engine.fetch,
    })
    return stream.toArray()
  }
}

/** Makes one of our queries read a named graph. */
function wrapInGraph(graph: string, text: string): string {
  const open = text.indexOf('WHERE {')
  const close = text.lastIndexOf('}')
  const inner = text.slice(open + 'WHERE {'.length, close)
  return `${text.slice(0, open)}WHERE { GRAPH ${iriToken(graph)} {${inner}} ${text.slice(close)}`
}

/** Splits a query before its SELECT. */
function split(text: string): readonly [prologue: string, select: string] {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('#'))
  const plain = lines.join('\n')
  const selectOffset = plain.indexOf('SELECT')
  return [plain.slice(0, selectOffset), plain.slice(selectOffset)]
}

const LANG_STRING = `${RDF_NAMESPACE}langString`

/** Virtuoso stores `true` as 1. */
const BOOLEANS: Readonly<Record<string, string>> = { '1': 'true', '0': 'false' }

function toTerm(term: RdfTerm): Term {
  const { termType, value } = term
  if (termType === 'NamedNode') return { type: 'uri', value }
  if (termType === 'Literal') return toLiteral(term)
  // Engines label blank nodes with any characters.
  if (termType === 'BlankNode') return { type: 'bnode', value: value.replaceAll(/[^A-Za-z0-9]/g, '') }
  throw new Error(`A row has a ${termType}`)
}

/** Plain literals and strings are the same (RDF 1.1, §3.3). */
function toLiteral({ value, language = '', datatype }: RdfTerm): Term {
  if (language !== '') return { type: 'literal', value, 'xml:lang': language.toLowerCase() }
  const type = datatype?.value ?? xsd.string
  if (type === xsd.string || type === LANG_STRING) return { type: 'literal', value }
  const text = type === xsd.boolean ? (BOOLEANS[value] ?? value) : value
  return { type: 'literal', value: text, datatype: type }
}
