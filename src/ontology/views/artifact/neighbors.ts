import { readQuery } from '../../../graph/query.ts'
import { selectStatements, STATEMENT_COLUMNS } from '../../../graph/statements.ts'
import type { Statement } from '../../../graph/term.ts'
import { d3f } from '../../../graph/vocabulary.ts'
import { artifacts, type Release } from '../../release/release.ts'
import { labelStatements, statement, summaryStatements } from '../statements.ts'

const NEIGHBORS = readQuery(new URL('./neighbors.rq', import.meta.url), STATEMENT_COLUMNS)

/** The artifacts next to an artifact, with the direction of each relation (`d3f:outbound`). */
export async function findNeighbors(release: Release, artifact: string): Promise<readonly Statement[]> {
  const family = artifacts(release)
  const statements = await selectStatements(release.graph, NEIGHBORS, { artifact: [artifact] })
  return statements
    .filter(({ subject, object }) => {
      const other = subject.value === artifact ? object.value : subject.value
      return family.has(other)
    })
    .flatMap(({ subject, predicate, object }) =>
      link(release, { from: subject.value, relation: predicate.value, to: object.value }),
    )
}

/** The weaknesses of an artifact and of everything below it. */
export function findWeaknesses(release: Release, artifact: string): readonly Statement[] {
  return [...release.hierarchy.down(artifact)]
    .flatMap((below) => release.weaknessesByArtifact.get(below) ?? [])
    .flatMap((row) => {
      const edge = {
        from: row.weakness.value,
        relation: row.relation.value,
        to: row.artifact.value,
      }
      const statements = link(release, edge)
      if (statements.length === 0) return []
      return [...statements, ...summaryStatements(release, edge.from, [d3f.cweId])]
    })
}

/** The sensors that monitor an artifact or anything above it, and what monitoring is called. */
export function findSensors(release: Release, artifact: string): readonly Statement[] {
  const links = [...release.hierarchy.up(artifact)]
    .flatMap((above) => release.sensorsByArtifact.get(above) ?? [])
    .flatMap((row) => link(release, { from: row.sensor.value, relation: d3f.monitors, to: row.artifact.value }))
  return links.length === 0 ? [] : [...links, ...labelStatements(release, d3f.monitors)]
}

interface Edge {
  readonly from: string
  readonly relation: string
  readonly to: string
}

/** An edge between two labelled ends; an end without a label hides it. */
function link(release: Release, { from, relation, to }: Edge): readonly Statement[] {
  const labels = [from, to].map((end) => labelStatements(release, end))
  if (labels.some((statements) => statements.length === 0)) return []
  return [statement(from, relation, to), statement(from, d3f.outbound, relation), ...labels.flat()]
}
