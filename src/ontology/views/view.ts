import type { Release } from '../release/release.ts'
import type { ResponseType } from './schemas.ts'

/** The description of an endpoint, from which the OpenAPI document is written. */
interface ViewDescription {
  /** URL path; a record view has one `{parameter}` in it. */
  readonly path: string
  readonly operation: string
  readonly summary: string
  /** Name of the response type. */
  readonly responseType: ResponseType
  readonly format: Format
}

/** Writes an answer as text in pieces, so that no text is too large. */
export interface Format {
  readonly mediaType: string
  readonly write: (answer: unknown) => Iterable<string>
}

/** An endpoint without a parameter. */
export interface DocumentView extends ViewDescription {
  readonly kind: 'document'
  readonly answer: (release: Release) => Promise<unknown>
}

/** An endpoint that answers for each of its members. */
export interface RecordView extends ViewDescription {
  readonly kind: 'record'
  readonly parameter: {
    readonly name: string
    /** The word for it in messages, where the name of the parameter is another one. */
    readonly noun?: string
    readonly description: string
    readonly example: string
  }
  /** Every name that has an answer, with the IRI it stands for. */
  readonly members: (release: Release) => ReadonlyMap<string, string>
  readonly answer: (release: Release, iri: string) => Promise<unknown>
}

export type View = DocumentView | RecordView

/** Members under their prefixed names (`d3f:Process`). */
export function byName(release: Release, iris: Iterable<string>): ReadonlyMap<string, string> {
  return new Map(Array.from(iris, (iri) => [release.names.compact(iri), iri]))
}

/** Members by their identifiers; if two share one, the first by IRI has it. */
export function byIdentifier(release: Release, iris: Iterable<string>, property: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  for (const iri of iris) {
    for (const { value } of release.summaries.values(iri, property)) {
      if (!members.has(value)) members.set(value, iri)
    }
  }
  return members
}
