import { jsonLdDocument } from '../../../../graph/json-ld.ts'
import type { Statement } from '../../../../graph/term.ts'
import type { Document } from '../../../../http/answers.ts'
import { acceptedForm, acceptedMediaType } from '../../../../http/negotiation.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Iris } from '../graph/iris.ts'
import { PREFIXES } from '../graph/terms.ts'
import { turtleDocument } from './turtle.ts'

export const JSON_LD = 'application/ld+json'
export const TURTLE = 'text/turtle'

/**
 * The format that an Accept header asks for; the first if it asks for none or another. JSON gives JSON-LD; profiles
 * of JSON-LD are ignored. Refuses (406) when both are refused.
 */
export function acceptedFormat(
  accept: string | undefined,
  [first, second]: readonly [string, string],
): string {
  const accepted = acceptedMediaType(accept, [first, second, 'application/json'])
  if (accepted === 'application/json') return JSON_LD
  const format = accepted ?? acceptedForm(accept, [first, second])
  if (format !== null) return format
  throw new Refusal('not_acceptable', `There is ${first} and ${second}; Accept refuses both.`)
}

/** Statements as a document in one of the two formats. */
export function represent(
  statements: readonly Statement[],
  { format, iris }: { readonly format: string; readonly iris: Iris },
): Pick<Document, 'mediaType' | 'body'> {
  const context = { guidance: iris.namespace, ...PREFIXES }
  if (format === TURTLE)
    return { mediaType: `${TURTLE}; charset=utf-8`, body: turtleDocument(statements, context) }
  const document = jsonLdDocument(statements, { values: 'compact', context })
  return { mediaType: JSON_LD, body: JSON.stringify(document) }
}
