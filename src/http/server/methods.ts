import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '../../platform/errors.ts'

/** The methods of a path. */
export interface AllowedMethods {
  /** As the header `Allow` has them. OPTIONS is answered if it is among them. */
  readonly allow: string
  /** Whether pages of any origin may use these methods; browsers ask with OPTIONS. */
  readonly isOpen: boolean
  /** Headers that these pages may send. Default: `*`, which stands for all but Authorization (Fetch Standard, CORS). */
  readonly openHeaders?: string
  /** The detail of the refusal of another method. */
  readonly refusal: string
}

/**
 * Answers OPTIONS, and refuses methods that the path does not allow. Returns false if the method is allowed and the
 * request still needs an answer.
 */
export function answersMethod(
  { method = '' }: Pick<IncomingMessage, 'method'>,
  response: ServerResponse,
  { allow, isOpen, openHeaders = '*', refusal }: AllowedMethods,
): boolean {
  const isAllowed = allow.split(', ').includes(method)
  if (isAllowed && method !== 'OPTIONS') return false
  response.setHeader('Allow', allow)
  if (!isAllowed) throw new Refusal('method_not_allowed', refusal)
  if (isOpen) {
    response.setHeader('Access-Control-Allow-Methods', allow)
    response.setHeader('Access-Control-Allow-Headers', openHeaders)
  }
  response.writeHead(204).end()
  return true
}
