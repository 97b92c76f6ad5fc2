import type { IRouter, RequestHandler } from 'express'
import { answersMethod } from './methods.ts'

/** Adds a route for GET and HEAD; other methods get a 405 problem. */
export function readOnly(router: IRouter, path: string, handler: RequestHandler): void {
  router.route(path).get(handler).all(refuseWrites)
}

/** Refuses all methods but GET and HEAD with a 405 problem. */
export const refuseWrites: RequestHandler = (request, response, next) => {
  const refusal = `${request.method} is not allowed at ${request.path}; GET and HEAD are.`
  answersMethod(request, response, { allow: 'GET, HEAD', isOpen: false, refusal })
  next()
}
