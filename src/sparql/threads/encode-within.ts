import { Refusal } from '../../platform/errors.ts'

/** Encodes an answer in UTF-8. Refuses one that exceeds the limits; answers are never cut. */
export function encodeWithin(
  text: string,
  { maxRows, maxBytes, rows }: { readonly rows: number; readonly maxRows: number; readonly maxBytes: number },
): Uint8Array<ArrayBuffer> {
  if (text.length > maxBytes) throw tooLarge(`${maxBytes} bytes`)
  if (rows > maxRows) throw tooLarge(`${maxRows} rows`)
  const body = new TextEncoder().encode(text)
  if (body.length > maxBytes) throw tooLarge(`${maxBytes} bytes`)
  return body
}

function tooLarge(limit: string): Refusal {
  const advice = 'Ask for less at a time: with a filter, or with ORDER BY, LIMIT and OFFSET.'
  return new Refusal('answer_too_large', `The answer has more than ${limit}. ${advice}`)
}
