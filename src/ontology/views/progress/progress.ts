import { readQuery } from '../../../graph/query.ts'
import { iri, type Term } from '../../../graph/term.ts'
import { D3F, rdfs } from '../../../graph/vocabulary.ts'
import { append } from '../../../platform/append.ts'
import { artifacts, defensiveTechniques, offensiveTechniques, type Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import type { ResultRow } from '../rows.ts'
import { findStatements } from '../statements.ts'
import type { DocumentView } from '../view.ts'

const SOURCES = readQuery(new URL('./sources.rq', import.meta.url), ['class', 'property', 'value'])

export const progress: DocumentView = {
  kind: 'document',
  path: '/api/progress.json',
  operation: 'getProgress',
  summary: 'Techniques with and without a relation to an artifact, and artifacts with and without a source',
  responseType: 'Progress',
  format: JSON_FORMAT,
  answer: async (release) => {
    const techniques = await splitByArtifacts(release, defensiveTechniques(release))
    const attacks = await splitByArtifacts(release, offensiveTechniques(release))
    const rows = await artifactRows(release)
    const undefinedArtifacts = rows.filter((row) => !('definition' in row))
    return {
      techniques_count: techniques.count,
      techniques_with_artifacts_count: techniques.related.length,
      techniques_without_artifacts_count: techniques.unrelated.length,
      otechniques_count: attacks.count,
      otechniques_with_artifacts_count: attacks.related.length,
      otechniques_without_artifacts_count: attacks.unrelated.length,
      artifacts_count: rows.length,
      techniques_with_artifacts: techniques.related,
      techniques_without_artifacts: techniques.unrelated,
      otechniques_with_artifacts: attacks.related,
      otechniques_without_artifacts: attacks.unrelated,
      artifacts: rows,
      artifacts_without_definitions: undefinedArtifacts,
      artifacts_without_definitions_count: undefinedArtifacts.length,
    }
  },
}

/**
 * Only statements of a technique itself count, not inherited ones. The root of the artifacts counts as an artifact. The
 * techniques without a relation have their labels.
 */
async function splitByArtifacts(release: Release, techniques: ReadonlySet<string>) {
  const family = artifacts(release)
  const statements = await findStatements(release, techniques)
  const links = statements.filter(
    ({ predicate, object }) => predicate.value.startsWith(D3F) && family.has(object.value),
  )
  const subjects = new Set(links.map(({ subject }) => subject.value))
  const isRelated = (technique: string): boolean => subjects.has(technique)
  return {
    count: techniques.size,
    related: [...techniques].filter(isRelated).map((technique) => ({ technique: iri(technique) })),
    unrelated: [...techniques]
      .filter((technique) => !isRelated(technique))
      .flatMap((technique) =>
        release.summaries.labels(technique).map((label) => ({ technique: iri(technique), label })),
      ),
  }
}

/** Each artifact once for every source (`rdfs:isDefinedBy`, called its definition) and comment that it has. */
async function artifactRows(release: Release): Promise<readonly ResultRow[]> {
  const values = new Map<string, Term[]>()
  for (const row of await release.graph.select(SOURCES)) append(values, row.class.value + row.property.value, row.value)
  return [...artifacts(release)].flatMap((artifact) =>
    columns('definition', values.get(artifact + rdfs.isDefinedBy)).flatMap((definition) =>
      columns('comment', values.get(artifact + rdfs.comment)).map((comment) => ({
        artifact: iri(artifact),
        ...definition,
        ...comment,
      })),
    ),
  )
}

/** Makes a row for each value; one empty row without values. */
function columns(name: string, values: readonly Term[] = []): readonly ResultRow[] {
  return values.length === 0 ? [{}] : values.map((value) => ({ [name]: value }))
}
