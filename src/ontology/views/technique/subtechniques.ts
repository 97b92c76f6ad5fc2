import { text, type Statement } from '../../../graph/term.ts'
import { d3f, rdfs } from '../../../graph/vocabulary.ts'
import { defensiveTechniques, type Release } from '../../release/release.ts'
import { statement, summaryStatements } from '../statements.ts'

const SUBTECHNIQUE_PROPERTIES = [d3f.d3fendId, d3f.definition, d3f.synonym, rdfs.label]

/** The direct subclasses of d3f:DefensiveTechnique, sorted by IRI. */
export function topTechniques(release: Release): readonly string[] {
  return release.hierarchy.children(d3f.DefensiveTechnique)
}

/** Defensive techniques that are published: those with a d3fend-id, sorted by IRI. */
export function publishedTechniques(release: Release): readonly string[] {
  return [...defensiveTechniques(release)].filter((iri) => release.summaries.has(iri, d3f.d3fendId))
}

/**
 * A technique and all its descendants as two levels: each descendant is directly below the technique, whatever its real
 * parent. Drafts without an identifier are left out; without other descendants the result is empty.
 */
export function flattenSubtechniques(release: Release, technique: string): readonly Statement[] {
  const family = defensiveTechniques(release)
  const below = release.hierarchy
    .below(technique)
    .filter((iri) => family.has(iri) && release.summaries.has(iri, d3f.d3fendId))
  if (below.length === 0) return []
  return [
    ...summaryStatements(release, technique, SUBTECHNIQUE_PROPERTIES),
    statement(technique, d3f.topLevel, text('true')),
    ...below.map((iri) => statement(technique, rdfs.hasSubClass, iri)),
    ...below.flatMap((iri) => [
      ...summaryStatements(release, iri, SUBTECHNIQUE_PROPERTIES),
      statement(iri, rdfs.subClassOf, technique),
    ]),
  ]
}
