import { append } from '../../platform/append.ts'
import { REFUSALS, type RefusalCode } from '../../platform/errors.ts'
import { schemaRef, type Json } from './document.ts'

/** The responses of refusals by their status, each with the codes that it may have (docs/errors.md). */
export function refusalResponses(codes: Iterable<RefusalCode>): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of new Set(codes)) append(byStatus, REFUSALS[code].status, code)
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [status, response(those, status)]),
  )
}

/** What nobody means to happen; its status is 500. */
export const FAULT: Json = { default: problemResponse('The service failed; its log says why') }

function response(codes: readonly RefusalCode[], status: number): Json {
  return {
    ...problemResponse(codes.map((code) => `\`${code}\``).join(', ')),
    ...((status === 429 || status === 503) && { headers: RETRY_AFTER }),
  }
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 } },
}

function problemResponse(description: string): Json {
  return { description, content: { 'application/problem+json': { schema: schemaRef('Problem') } } }
}
