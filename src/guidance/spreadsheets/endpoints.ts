import type { Endpoint } from '../endpoint.ts'
import type { Parts } from '../parts.ts'
import { detectSrgEndpoint } from './detect.ts'
import { spreadsheetUpdateEndpoints } from './update.ts'

export function spreadsheetEndpoints(parts: Pick<Parts, 'database'>): readonly Endpoint[] {
  return [detectSrgEndpoint(parts), ...spreadsheetUpdateEndpoints(parts)]
}
