import { z } from 'zod'
import { append } from '../../../platform/append.ts'
import type { ControlLinks, RelatedTechnique } from '../linked-data/countermeasures/control-links.ts'
import { ontologySchema, shapeTechnique, tacticSchema, techniqueSchema } from '../linked-data/countermeasures/links.ts'
import { relationName } from '../linked-data/countermeasures/names.ts'

/** The techniques that the ontology relates to a CCI or a control, sorted by name. */
export const linkedTechniques = z.object({
  ontology: ontologySchema.nullable().meta({ description: 'Null while there is no release' }),
  techniques: z.array(
    techniqueSchema.extend({
      tactics: z.array(tacticSchema),
      relations: z.array(z.string()).meta({ description: 'Of the CCI or control to the technique: narrower, …' }),
    }),
  ),
})

/** Shapes the techniques of a release for an answer. */
export function shapeLinked(
  links: ControlLinks | null,
  find: (links: ControlLinks) => readonly RelatedTechnique[],
): z.infer<typeof linkedTechniques> {
  if (links === null) return { ontology: null, techniques: [] }
  const byTechnique = new Map<string, RelatedTechnique[]>()
  for (const related of find(links)) append(byTechnique, related.technique.iri, related)
  const { version, digest } = links
  return {
    ontology: { version, digest },
    techniques: [...byTechnique.values()]
      .flatMap((paths) => {
        const [first] = paths
        const relations = [...new Set(paths.map(({ relation }) => relationName(relation)))].sort()
        if (first === undefined) return []
        const { technique } = first
        return [{ ...shapeTechnique(technique), tactics: [...technique.tactics], relations }]
      })
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
}
