import type { Literal } from '../../graph/term.ts'
import type { Release } from '../release/release.ts'

/** A key with its value, or with an array of several values; empty if there is no value. */
export function summaryProperty(
  { names, summaries }: Release,
  subject: string,
  iri: string,
): Readonly<Record<string, unknown>> {
  const values = summaries.values(subject, iri).map(literal)
  if (values.length === 0) return {}
  return { [names.compact(iri)]: values.length === 1 ? values[0] : values }
}

function literal({ datatype, value, 'xml:lang': language }: Literal): unknown {
  if (language !== undefined) return { '@language': language, '@value': value }
  return datatype === undefined ? value : { '@type': datatype, '@value': value }
}
