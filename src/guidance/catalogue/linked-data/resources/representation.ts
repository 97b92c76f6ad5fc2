import { jsonLdDocument } from '../../../../graph/json-ld.ts'
import {
  alternatesLink,
  contentTypeOf,
  RDF_TYPES,
  rdfFormOf,
  writeForm,
  type RdfForm,
} from '../../../../graph/syntax/forms.ts'
import { SYNTAXES } from '../../../../graph/syntax/syntaxes.ts'
import type { Statement } from '../../../../graph/term.ts'
import type { Document } from '../../../../http/answer/answers.ts'
import { requireAccepted } from '../../../../http/answer/negotiation.ts'
import type { RawRequest } from '../../../../http/request.ts'
import type { Iris } from '../graph/iris.ts'
import { PREFIXES } from '../graph/terms.ts'

/** The media types of descriptions of a resource, JSON-LD first. */
export const FORM_TYPES: readonly string[] = RDF_TYPES

/**
 * Returns the form that an Accept header selects; the given default if it selects none. JSON selects JSON-LD. Refuses
 * (406) a header that accepts no available form. The answer gets the headers `Vary` and `Link`.
 */
export function acceptedForm(
  { header, setHeader }: Pick<RawRequest, 'header' | 'setHeader'>,
  first: 'jsonLd' | 'turtle',
): RdfForm {
  setHeader('Vary', 'Accept')
  setHeader('Link', alternatesLink())
  const defaultType = SYNTAXES[first].mediaType
  const otherTypes = RDF_TYPES.filter((type) => type !== defaultType)
  return requireAccepted(
    header('Accept'),
    [defaultType, ...otherTypes, 'application/json'],
    (type, profiles) => rdfFormOf(type, profiles) ?? 'jsonLd',
  )
}

export function represent(
  statements: readonly Statement[],
  { form, iris }: { readonly form: RdfForm; readonly iris: Iris },
): Pick<Document, 'mediaType' | 'body'> {
  const context = { guidance: iris.namespace, ...PREFIXES }
  const mediaType = contentTypeOf(form)
  if (form !== 'jsonLd') return { mediaType, body: Array.from(writeForm(statements, form, context)).join('') }
  const document = jsonLdDocument(statements, { values: 'compact', context })
  return { mediaType, body: JSON.stringify(document) }
}
