import { jsonLdDocument } from '../../../graph/json-ld.ts'
import { d3f, rdfs, xsd } from '../../../graph/vocabulary.ts'
import { defensiveTechniques, type Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { statement } from '../statements.ts'
import { summaryProperty } from '../summary-property.ts'
import { enables, tacticsOf, techniquesEnabling } from '../tactic/tactic.ts'
import type { DocumentView } from '../view.ts'

export const matrix: DocumentView = {
  kind: 'document',
  path: '/api/matrix.json',
  operation: 'getMatrix',
  summary: 'The matrix: tactics in display order, and the tree of techniques under each',
  responseType: 'DAOMatrixList',
  format: JSON_FORMAT,
  answer: (release) => Promise.resolve(tacticsInOrder(release).map((tactic) => shapeTactic(release, tactic))),
}

export const matrixGraph: DocumentView = {
  kind: 'document',
  path: '/api/matrix-graph.json',
  operation: 'getMatrixGraph',
  summary: 'The matrix as JSON-LD: tactics, techniques and all statements about them',
  responseType: 'Taxonomy',
  format: JSON_FORMAT,
  answer: async (release) => {
    const tactics = tacticsOf(release)
    const techniques = defensiveTechniques(release)
    const statements = await release.statements.from([...tactics, ...techniques])
    return jsonLdDocument(
      [
        ...statements,
        ...tactics.map((tactic) => statement(d3f.RootNode, d3f.children, tactic)),
        ...tactics.flatMap((tactic) =>
          findEnabling(release, tactic).map((technique) => statement(tactic, d3f.children, technique)),
        ),
        ...Array.from(techniques).flatMap((technique) =>
          subtechniques(release, technique).map((child) => statement(technique, d3f.children, child)),
        ),
      ],
      { values: 'arrays' },
    )
  },
}

/** Every technique that enables the tactic itself, at any level of the tree. */
function findEnabling(release: Release, tactic: string): readonly string[] {
  return [...defensiveTechniques(release)].filter((technique) => enables(release, technique, tactic))
}

/** In the order in which the matrix shows them. */
export function tacticsInOrder(release: Release): readonly string[] {
  return inDisplayOrder(release, tacticsOf(release))
}

export function subtechniques(release: Release, technique: string): readonly string[] {
  const family = defensiveTechniques(release)
  return release.hierarchy.children(technique).filter((child) => family.has(child))
}

/** Sorts tactics in display order. */
export function inDisplayOrder(release: Release, tactics: readonly string[]): readonly string[] {
  return tactics.toSorted((a, b) => displayOrder(release, a) - displayOrder(release, b))
}

/** Tactics without an order come last, by IRI. */
function displayOrder(release: Release, tactic: string): number {
  const value = release.summaries.values(tactic, d3f.displayOrder)[0]?.value
  return value === undefined ? Number.MAX_SAFE_INTEGER : Number(value)
}

function shapeTactic(release: Release, tactic: string): Readonly<Record<string, unknown>> {
  return {
    '@id': release.names.compact(tactic),
    children: techniquesEnabling(release, tactic).map((top) => shapeTechnique(release, top, [])),
    ...summaryProperty(release, tactic, d3f.displayOrder),
    ...summaryProperty(release, tactic, d3f.displayPriority),
    'd3f:type': 'toplevel',
    ...summaryProperty(release, tactic, rdfs.label),
  }
}

/** A technique with its subtree; `path` ends cycles in the data. */
function shapeTechnique(
  release: Release,
  technique: string,
  path: readonly string[],
): Readonly<Record<string, unknown>> {
  const pathHere = [...path, technique]
  const children = subtechniques(release, technique).filter((child) => !pathHere.includes(child))
  const references = release.referenceCounts.get(technique) ?? 0
  return {
    '@id': release.names.compact(technique),
    ...(children.length > 0 && {
      children: children.map((child) => shapeTechnique(release, child, pathHere)),
    }),
    ...summaryProperty(release, technique, d3f.d3fendId),
    ...summaryProperty(release, technique, d3f.definition),
    ...(references > 0 && {
      'd3f:ref-count': { '@type': xsd.integer, '@value': String(references) },
    }),
    ...summaryProperty(release, technique, rdfs.label),
  }
}
