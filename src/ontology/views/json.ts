import { jsonPieces } from '../../platform/json.ts'
import type { Format } from './view.ts'

export const JSON_FORMAT: Format = {
  mediaType: 'application/json; charset=utf-8',
  write: jsonPieces,
}
