import type { Endpoint } from '../../../http/endpoint.ts'
import type { Parts } from '../../parts/parts.ts'
import { detectSrgEndpoint } from './updating/detect.ts'
import { spreadsheetUpdateEndpoints } from './updating/update.ts'

export function spreadsheetEndpoints(parts: Parts): readonly Endpoint[] {
  return [detectSrgEndpoint(parts), ...spreadsheetUpdateEndpoints(parts)]
}
