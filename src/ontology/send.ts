import type { ServerResponse } from 'node:http'
import type { Exchange } from '../http/answer/representation.ts'
import { answersMethod } from '../http/server/methods.ts'
import { METHODS, OPEN_TO_ALL } from './response-headers.ts'

/** Lets pages of every origin read what comes: an answer, a redirect or a problem. */
export function openToAll(response: ServerResponse): void {
  for (const [name, value] of OPEN_TO_ALL) response.setHeader(name, value)
}

/** Redirects to the page of a record (RFC 9110 §15.4.4). */
export function sendElsewhere(response: ServerResponse, location: string, headers: readonly string[]): void {
  response.writeHead(303, ['Location', location, ...headers]).end()
}

/** Answers OPTIONS, and refuses methods that write. False: the request is still to be answered. */
export function answersReadOnly({ request, response }: Exchange, subject: string): boolean {
  const { method = 'This method' } = request
  const refusal = `${method} is not allowed; ${subject} read-only.`
  return answersMethod(request, response, { allow: METHODS, isOpen: true, refusal })
}
