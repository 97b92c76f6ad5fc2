import type { Statement } from '../../../graph/term.ts'
import { D3F, d3f, rdfs } from '../../../graph/vocabulary.ts'
import { artifacts, type Release } from '../../release/release.ts'
import { hasParticipants } from '../event/participants.ts'
import { findStatements, labelStatements, statement, summaryStatements } from '../statements.ts'

/**
 * The artifacts next to an artifact, with the direction of each relation (`d3f:outbound`). Since D3FEND has events
 * (1.0.0), it also shows the relations of the direct superclasses.
 */
export async function findNeighbors(release: Release, artifact: string): Promise<readonly Statement[]> {
  const ownNeighbors = await findOwnNeighbors(release, artifact)
  return hasParticipants(release) ? [...ownNeighbors, ...(await findInherited(release, artifact))] : ownNeighbors
}

/** Statements about other things by the direct superclasses of an artifact. */
async function findInherited(release: Release, artifact: string): Promise<readonly Statement[]> {
  const family = artifacts(release)
  const parents = release.hierarchy.parents(artifact).filter((parent) => family.has(parent))
  const statements = await findStatements(release, parents)
  return statements
    .filter(({ predicate }) => predicate.value.startsWith(D3F))
    .flatMap(({ subject, predicate, object }) => {
      const linkStatements = link(release, { from: subject.value, relation: predicate.value, to: object.value })
      if (linkStatements.length === 0) return []
      return [
        ...linkStatements,
        statement(artifact, rdfs.subClassOf, subject.value),
        ...labelStatements(release, artifact),
      ]
    })
}

async function findOwnNeighbors(release: Release, artifact: string): Promise<readonly Statement[]> {
  const family = artifacts(release)
  const statements = [await release.statements.from([artifact]), await release.statements.to(artifact)].flat()
  return statements
    .filter(({ subject, predicate, object }) => {
      const other = subject.value === artifact ? object.value : subject.value
      return predicate.value.startsWith(D3F) && family.has(other)
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

/** An edge between two labelled ends; an end without a label hides it. */
function link(
  release: Release,
  { from, relation, to }: { readonly from: string; readonly relation: string; readonly to: string },
): readonly Statement[] {
  const labels = [from, to].map((end) => labelStatements(release, end))
  if (labels.some((statements) => statements.length === 0)) return []
  return [statement(from, relation, to), statement(from, d3f.outbound, relation), ...labels.flat()]
}
