import type { NamedGraphs } from '../../graph/store.ts'
import { messageOf, type Refusal } from '../../platform/errors.ts'
import { countRows } from '../query/rows.ts'
import type { QueryExchanges, QueryQuestion } from './protocol.ts'
import { encodeWithin } from './whole.ts'

const JSON_LD = 'application/ld+json'

type Engine = Pick<NamedGraphs, 'answer'>
type Broken = Extract<QueryExchanges['query']['answer'], { readonly broken: string }>
type Answer = { readonly body: Uint8Array<ArrayBuffer> } | Broken

/** Refuses what cannot be read and what is larger than the limits: an answer is whole or none. */
export async function answerQuery(graphs: Engine, question: QueryQuestion): Promise<Answer> {
  const { format, maxBytes } = question
  const asked = await ask(graphs, question, question.bounded)
  if ('broken' in asked) return asked
  // On its own an array, which a reader of JSON objects does not expect.
  const text = format === JSON_LD ? `{"@graph":${asked.text}}` : asked.text
  // What is too long is not looked through.
  const rows = text.length > maxBytes ? 0 : countRows(text, format)
  return { body: encodeWithin(text, { ...question, rows }) }
}

async function ask(
  graphs: Engine,
  question: QueryQuestion,
  query: string,
): Promise<{ readonly text: string } | Broken> {
  const { format: mediaType, dataset, baseIri } = question
  try {
    return { text: graphs.answer(query, { dataset, mediaType, baseIri }) }
  } catch (error) {
    const broken = howBroken(error)
    if (broken !== null) return { broken }
    // What is wrong, and where, is said of the query as it came.
    if (query !== question.text) return ask(graphs, question, question.text)
    throw await explained(query, messageOf(error))
  }
}

/** Few threads need the parser that explains. */
async function explained(query: string, message: string): Promise<Refusal> {
  const { explainMalformed } = await import('../query/malformed.ts')
  return explainMalformed(query, message)
}

/** What the library throws where WebAssembly trapped; nothing it holds can be relied on after that. */
function howBroken(error: unknown): 'memory' | 'depth' | null {
  if (error instanceof RangeError) return 'depth'
  if (!(error instanceof Error) || error.name !== 'RuntimeError') return null
  return error.message.includes('unreachable') ? 'memory' : 'depth'
}
