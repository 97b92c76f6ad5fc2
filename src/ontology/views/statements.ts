import { jsonLdDocument, type JsonLdDocument } from '../../graph/json-ld.ts'
import { iri, type Statement } from '../../graph/term.ts'
import { rdfs } from '../../graph/vocabulary.ts'
import type { Release } from '../release/release.ts'

/** All statements about the subjects whose object is not a blank node: D3FEND's sections have no others. */
export async function findStatements(release: Release, iris: Iterable<string>): Promise<readonly Statement[]> {
  const statements = await release.statements.from(iris)
  return statements.filter(({ object }) => object.type !== 'bnode')
}

/** The `description` section that most records have. */
export async function findDescription(release: Release, subject: string): Promise<JsonLdDocument> {
  return jsonLdDocument(await findStatements(release, [subject]), { values: 'compact' })
}

/** A subject's short facts as statements, for the named properties that it has. */
export function summaryStatements(
  release: Release,
  subject: string,
  properties: readonly string[],
): readonly Statement[] {
  return properties.flatMap((property) =>
    release.summaries.values(subject, property).map((value) => statement(subject, property, value)),
  )
}

/** One statement; a string object is an IRI. */
export function statement(subject: string, predicate: string, object: string | Statement['object']): Statement {
  return {
    subject: iri(subject),
    predicate: iri(predicate),
    object: typeof object === 'string' ? iri(object) : object,
  }
}

export function labelStatements(release: Release, subject: string): readonly Statement[] {
  return summaryStatements(release, subject, [rdfs.label])
}
