import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PublicGraph, PublicGraphs } from '../../../src/contracts/graphs.ts'
import { Refusal } from '../../../src/platform/errors.ts'
import { createLog } from '../../../src/platform/log.ts'
import { readSettings } from '../../../src/platform/settings/settings.ts'
import { SparqlService } from '../../../src/sparql/index.ts'
import { readQuery } from '../../../src/sparql/query/read-query.ts'
import { W3C_SUITES } from '../../support/corpus.ts'
import { addressOf, bytesAt, endingOf, readFileAt, saySame } from './files.ts'
import type { QueryTest } from './manifest.ts'
import { expectedAt, readJson, readXml, rowsApart, rowsAsGraph, tableOf } from './results.ts'

const NOTHING = 'urn:parapet:nothing'
const CLIENT = { network: 'suite', signal: new AbortController().signal }
const FORMATS: Readonly<Record<string, string>> = {
  srx: 'application/sparql-results+xml',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
}

interface Answer {
  readonly text: string
  readonly mediaType: string
}

/** The SPARQL endpoint, with all documents of the suite as its graphs. */
export class SuiteEndpoint {
  readonly #service: SparqlService

  constructor() {
    const graphs = [graphAt(NOTHING), ...dataFiles().map((path) => graphAt(addressOf('rdf-tests', path)))]
    const source: PublicGraphs = {
      list: () => Promise.resolve(graphs),
      read: ({ iri }) => Promise.resolve(Buffer.from(iri === NOTHING ? '' : readFileAt(iri).graph.dump())),
    }
    const { sparql: settings } = readSettings({ SERVICE_SPARQL_THREADS: '1' })
    const baseUrl = 'http://parapet.example'
    this.#service = new SparqlService({ sources: [source], settings, baseUrl, log: createLog('silent') })
  }

  close(): Promise<void> {
    return this.#service.close()
  }

  /** Says what is wrong with how the endpoint takes the query of a test; null if nothing is. */
  async faultOf(test: QueryTest): Promise<string | null> {
    if (test.kind === 'unreadable') return this.#acceptedFault(test)
    const answer = await this.#answer(test)
    return test.expected === null ? null : answerFault(answer, test, test.expected)
  }

  async #acceptedFault(test: QueryTest): Promise<string | null> {
    try {
      const { text } = await this.#answer(test)
      return `It was answered: ${text}`
    } catch (error) {
      if (error instanceof Refusal && error.code === 'query_malformed') return null
      throw error
    }
  }

  async #answer({ query, kind, expected, ...data }: QueryTest): Promise<Answer> {
    const text = bytesAt(query).toString()
    // A query that is only read may name graphs that nobody has, and a request decides for it.
    const decides = kind === 'answer' && namesGraphs(text, query)
    const isEmpty = data.defaults.length + data.named.length === 0
    const chosen = { defaults: isEmpty ? [NOTHING] : data.defaults, named: data.named }
    const graphs = decides ? { defaults: [], named: [] } : chosen
    const accept = FORMATS[endingOf(expected ?? '')] ?? 'application/sparql-results+json, application/n-triples'
    const request = { query: `BASE <${query}>\n${text}`, graphs, timeoutMs: null }
    const { answer, sent } = await this.#service.answer(request, accept, CLIENT)
    sent()
    return { text: Buffer.from(answer.body).toString(), mediaType: answer.mediaType }
  }
}

function namesGraphs(text: string, base: string): boolean {
  const { from, fromNamed } = readQuery(text, base)
  return from.length + fromNamed.length > 0
}

function graphAt(iri: string): PublicGraph {
  return { iri, key: iri, role: 'named', title: iri }
}

function dataFiles(): readonly string[] {
  const suite = join(W3C_SUITES, 'rdf-tests')
  const folders = ['sparql/sparql10', 'sparql/sparql11']
  const files = folders.flatMap((folder) =>
    readdirSync(join(suite, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  return files.filter((path) => /\.(?:ttl|rdf|nt)$/.test(path))
}

async function answerFault({ text, mediaType }: Answer, test: QueryTest, address: string): Promise<string | null> {
  if (mediaType === 'text/csv' || mediaType.startsWith('text/tab'))
    return tableFault(text, bytesAt(address).toString(), endingOf(address))
  const expected = await expectedAt(address)
  if (typeof expected === 'string') return (await saySame(text, expected)) ? null : `It says ${text}`
  const actual = mediaType.endsWith('xml') ? readXml(text) : readJson(text)
  if (expected.truth !== actual.truth) return `It says ${String(actual.truth)}`
  const comparing = { isLax: test.isLax, isOrdered: /\bORDER\s+BY\b/i.test(bytesAt(test.query).toString()) }
  const isSame = await saySame(rowsAsGraph(actual.rows, comparing), rowsAsGraph(expected.rows, comparing))
  return isSame ? null : rowsApart(actual.rows, expected.rows)
}

/** The order of columns is nobody's business where a query names none. */
function tableFault(actual: string, expected: string, ending: string): string | null {
  const actualTable = tableOf(actual, ending).join('\n')
  return actualTable === tableOf(expected, ending).join('\n') ? null : `It says ${actualTable}`
}
