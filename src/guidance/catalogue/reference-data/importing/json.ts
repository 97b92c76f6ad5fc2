import { messageOf, Refusal } from '../../../../platform/errors.ts'
import { shortenWords } from '../../files/xml.ts'

/** Parses an object from JSON in UTF-8. Refuses `bad_encoding` and other content (`not_reference_data`). */
export function parseJson(bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal('bad_encoding', 'The file is not valid UTF-8.')
    throw new Refusal('not_reference_data', `The file is not JSON: ${shortenWords(messageOf(error))}.`)
  }
  throw new Refusal('not_reference_data', 'The file is not a JSON object.')
}
