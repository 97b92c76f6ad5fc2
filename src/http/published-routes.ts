import type { IncomingHttpHeaders } from 'node:http'
import { Router } from 'express'
import { sendRepresentation, type Redirection, type Exchange, type Representation } from './answer/representation.ts'
import type { EndpointDescription } from './endpoint.ts'
import { answersMethod } from './server/methods.ts'

/** The methods of published resources. */
export const READ_METHODS = 'GET, HEAD, OPTIONS'

/** Headers of every published answer, from the service and from servers of static copies. */
export const OPEN_TO_ALL = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'ETag'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/** A GET of a published resource. */
export interface PublishedRequest {
  /** Decoded, by their names in the path. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
}

export type PublishedAnswer = Representation | Redirection

/** An operation with the same answer for all callers, without a session. */
export interface PublishedEndpoint<Service> extends EndpointDescription {
  readonly represent: (service: Service, request: PublishedRequest) => Promise<PublishedAnswer>
}

/** Routes of Express for published endpoints. */
export function publishedRoutes<Service>(endpoints: readonly PublishedEndpoint<Service>[], service: Service): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const { path, represent } of endpoints)
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, response) => {
      const { headers } = request
      const params = Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, String(value)]))
      await answerPublished({ request, response }, () => represent(service, { params, headers }))
    })
  return router
}

/** Answers a request for a published resource, from any origin; refuses methods that write. */
export async function answerPublished(exchange: Exchange, represent: () => Promise<PublishedAnswer>): Promise<void> {
  const { request, response } = exchange
  for (const [name, value] of OPEN_TO_ALL) response.setHeader(name, value)
  const refusal = `${request.method ?? 'This method'} is not allowed: published data is read-only.`
  if (answersMethod(request, response, { allow: READ_METHODS, isOpen: true, refusal })) return
  const answer = await represent()
  if ('location' in answer) response.writeHead(303, ['Location', answer.location, ...answer.headers]).end()
  else await sendRepresentation(exchange, answer)
}
