import type { IRouter, RequestHandler } from 'express'
import { Refusal } from '../../platform/errors.ts'

/** A path that can only be read: GET (and so HEAD) answers, everything else is a 405 problem. */
export function readOnly(router: IRouter, path: string, handler: RequestHandler): void {
  router
    .route(path)
    .get(handler)
    .all((request, response) => {
      response.set('Allow', 'GET, HEAD')
      throw new Refusal('method_not_allowed', `${request.method} is not allowed at ${request.path}.`)
    })
}
