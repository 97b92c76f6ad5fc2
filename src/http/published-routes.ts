import type { IncomingHttpHeaders } from 'node:http'
import { Router } from 'express'
import { sendRepresentation, type Elsewhere, type Exchange, type Representation } from './answer/representation.ts'
import type { EndpointDescription } from './endpoint.ts'
import { answersMethod } from './server/methods.ts'

/** The methods of what is published. */
export const READ_METHODS = 'GET, HEAD, OPTIONS'

/** Sent with every answer that is published, by the service and by servers of static copies. */
export const OPEN_TO_ALL = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'ETag'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/** A GET of something that is published. */
export interface PublishedRequest {
  /** Decoded, by their names in the path. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
}

export type PublishedAnswer = Representation | Elsewhere

/** An operation that answers everybody alike, without a session, with something that can be sent as it is. */
export interface PublishedEndpoint<Service> extends EndpointDescription {
  readonly represent: (service: Service, request: PublishedRequest) => Promise<PublishedAnswer>
}

/** The list of what a service publishes over Express. */
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

/** Answers one request for something that is published, from every origin; refuses methods that write. */
export async function answerPublished(exchange: Exchange, represent: () => Promise<PublishedAnswer>): Promise<void> {
  const { request, response } = exchange
  for (const [name, value] of OPEN_TO_ALL) response.setHeader(name, value)
  const refusal = `${request.method ?? 'This method'} is not allowed; what is published can only be read.`
  if (answersMethod(request, response, { allow: READ_METHODS, isOpen: true, refusal })) return
  const answer = await represent()
  if ('location' in answer) response.writeHead(303, ['Location', answer.location, ...answer.headers]).end()
  else await sendRepresentation(exchange, answer)
}
