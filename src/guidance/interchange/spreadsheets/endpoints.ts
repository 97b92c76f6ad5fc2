import type { Endpoint } from '../../../http/endpoint.ts'
import type { Parts } from '../../parts/parts.ts'
import { previewCreationEndpoint } from './creating/preview.ts'
import { detectSrgEndpoint } from './updating/detect.ts'
import { spreadsheetUpdateEndpoints } from './updating/update.ts'

export function spreadsheetEndpoints(parts: Parts): readonly Endpoint[] {
  return [detectSrgEndpoint(parts), previewCreationEndpoint(parts), ...spreadsheetUpdateEndpoints(parts)]
}
