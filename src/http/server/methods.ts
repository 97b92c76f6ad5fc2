import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../../platform/errors.ts'

/** The methods of a path. */
export interface AllowedMethods {
  /** As the header `Allow` has them. OPTIONS is answered if it is among them. */
  readonly allow: string
  /** Whether pages of any origin may use these methods; browsers ask with OPTIONS. */
  readonly isOpen: boolean
  /** The detail of the refusal of another method. */
  readonly refusal: string
}

/** Headers of an answer to a browser that asks whether a page of another origin may use these methods. */
function preflightHeaders(allow: string): readonly (readonly [name: string, value: string])[] {
  return [
    ['Access-Control-Allow-Methods', allow],
    ['Access-Control-Allow-Headers', '*'],
  ]
}

/**
 * Answers OPTIONS, and refuses methods that the path does not allow. False: the method is allowed, and the request is
 * still to be answered.
 */
export function answersMethod(
  { method = '' }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
  { allow, isOpen, refusal }: AllowedMethods,
): boolean {
  const isAllowed = allow.split(', ').includes(method)
  if (isAllowed && method !== 'OPTIONS') return false
  response.setHeader('Allow', allow)
  if (!isAllowed) throw new Refusal('method_not_allowed', refusal)
  if (isOpen) for (const [name, value] of preflightHeaders(allow)) response.setHeader(name, value)
  response.writeHead(204).end()
  return true
}
