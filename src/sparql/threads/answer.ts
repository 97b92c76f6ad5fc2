import type { NamedGraphs } from '../../graph/store.ts'
import { messageOf, type Refusal } from '../../platform/errors.ts'
import { countRows } from '../query/rows.ts'
import { encodeWithin } from './encode-within.ts'
import type { QueryExchanges, QueryRequest } from './protocol.ts'

const JSON_LD = 'application/ld+json'

type Engine = Pick<NamedGraphs, 'answer'>
type EngineFailure = Extract<QueryExchanges['query']['answer'], { readonly broken: string }>
type Answer = { readonly body: Uint8Array<ArrayBuffer> } | EngineFailure

/** Refuses malformed queries and answers that exceed the limits; answers are never cut. */
export async function answerQuery(graphs: Engine, question: QueryRequest): Promise<Answer> {
  const { format, maxBytes } = question
  const result = await runQuery(graphs, question, question.bounded)
  if ('broken' in result) return result
  // The engine writes an array, but clients expect a JSON object.
  const text = format === JSON_LD ? `{"@graph":${result.text}}` : result.text
  // An answer that is too long is refused, so its rows need no counting.
  const rows = text.length > maxBytes ? 0 : countRows(text, format)
  return { body: encodeWithin(text, { ...question, rows }) }
}

async function runQuery(
  graphs: Engine,
  question: QueryRequest,
  query: string,
): Promise<{ readonly text: string } | EngineFailure> {
  const { format: mediaType, dataset, baseIri } = question
  try {
    return { text: graphs.answer(query, { dataset, mediaType, baseIri }) }
  } catch (error) {
    const broken = failureOf(error)
    if (broken !== null) return { broken }
    // The bounded query has other positions, so the error is found in the original text.
    if (query !== question.text) return runQuery(graphs, question, question.text)
    throw await explainRefusal(query, messageOf(error), baseIri)
  }
}

/** Loads the parser on demand, because few threads need it. */
async function explainRefusal(query: string, message: string, baseIri: string): Promise<Refusal> {
  const { explainMalformed } = await import('../query/malformed.ts')
  return explainMalformed(query, message, baseIri)
}

/** Recognises a trap of WebAssembly. The library's memory cannot be relied on after one. */
function failureOf(error: unknown): 'memory' | 'depth' | null {
  if (error instanceof RangeError) return 'depth'
  if (!(error instanceof Error) || error.name !== 'RuntimeError') return null
  return error.message.includes('unreachable') ? 'memory' : 'depth'
}
