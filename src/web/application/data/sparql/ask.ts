import { Problem, readProblem, UNREACHABLE } from '../../client/problem.ts'

/** A query with its graphs. */
export interface Question {
  readonly query: string
  /** Further parameters of the protocol, such as `default-graph-uri`. */
  readonly parameters?: readonly (readonly [string, string])[]
}

/** Node accepts 16 KiB of headers, so longer queries are sent by POST. */
const LONGEST_ADDRESS = 8000

/** Sends a query to `/sparql`, for an answer in a type of `accept`. Throws a `Problem`, or the reason of an abort. */
export async function askSparql(question: Question, accept: string, signal?: AbortSignal): Promise<Response> {
  const answer = await send(question, accept, signal)
  if (!answer.ok) throw await readProblem(answer)
  return answer
}

async function send(question: Question, accept: string, signal: AbortSignal | undefined): Promise<Response> {
  const headers = { Accept: accept }
  const address = addressOfQuery(question)
  try {
    if (isAddressable(question)) return await fetch(address, { headers, signal })
    const [path = '', search = ''] = address.split('?')
    return await fetch(path, { method: 'POST', headers, body: new URLSearchParams(search), signal })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new Problem(UNREACHABLE, { detail: 'The service does not answer. Try again.' })
  }
}

/** The address of the answer for programs, and of the page with this query for browsers. */
export function addressOfQuery({ query, parameters = [] }: Question): string {
  return `/sparql?${new URLSearchParams([['query', query], ...parameters.map(([name, value]) => [name, value])])}`
}

/** Whether an address can hold the query. */
export function isAddressable(question: Question): boolean {
  return addressOfQuery(question).length <= LONGEST_ADDRESS
}
