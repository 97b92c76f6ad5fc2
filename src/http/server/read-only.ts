import type { IRouter, RequestHandler } from 'express'
import { answersMethod } from './methods.ts'

/** A path that can only be read: GET (and so HEAD) answers, everything else is a 405 problem. */
export function readOnly(router: IRouter, path: string, handler: RequestHandler): void {
  router
    .route(path)
    .get(handler)
    .all((request, response) => {
      const refusal = `${request.method} is not allowed at ${request.path}.`
      answersMethod(request, response, { allow: 'GET, HEAD', isOpen: false, refusal })
    })
}
