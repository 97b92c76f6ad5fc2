import type { ClassRelative, Defense } from '../../../../contracts/sources.ts'
import { relationName, shortName } from '../countermeasures/names.ts'

const IS_A = 'rdfs:subClassOf+'

/** The path of a defense from the attack to the technique: names and relations in turn. */
export function pathOfDefense({ subject, technique, relation, artifact, attack }: Defense): string[] {
  const touched = attack === null ? [] : [...stepTo(attack.by), attack.relation, shortName(attack.artifact.iri)]
  return [shortName(subject), ...touched, ...stepTo(artifact), `^${relationName(relation)}`, shortName(technique)]
}

/** The step to a class above or below. */
function stepTo({ is, iri }: ClassRelative): readonly string[] {
  if (is === 'itself') return []
  return [is === 'above' ? IS_A : `^${IS_A}`, shortName(iri)]
}
