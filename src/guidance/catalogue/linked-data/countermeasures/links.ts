import { z } from 'zod'
import type { NamedTechnique } from '../../../../contracts/sources.ts'
import { compareCodeUnits } from '../../../../graph/term.ts'
import { nistControls } from '../../benchmarks/nist-controls.ts'
import type { ControlLinks, ControlPath } from './control-links.ts'
import { relationName, shortName } from './names.ts'

export const techniqueSchema = z.object({
  iri: z.string(),
  id: z.string().meta({ description: 'Prefixed name, such as d3f:AccountLocking' }),
  d3fend_id: z.string().nullable(),
  label: z.string().nullable(),
})

/** A tactic that a technique enables. */
export const tacticSchema = z.object({ iri: z.string(), label: z.string() })

export const nistControl = z.object({
  id: z.string(),
  label: z.string().meta({ description: 'Such as AC-2(1)' }),
  relation: z.string(),
})

/** A technique with the NIST controls that are linked to it. */
export const linkedTechnique = techniqueSchema.extend({
  nist_controls: z.array(nistControl).meta({
    description:
      'The NIST SP 800-53 controls that the ontology links to the technique. The CCI may belong to another one: see ' +
      'cci_control',
  }),
})

/** One path from a rule to a technique. */
export const linkSchema = z.object({
  technique: linkedTechnique,
  relation: z.string().meta({ description: 'Relation of the control to the technique: narrower, …' }),
  cci: z.string(),
  cci_control: z.string().nullable().meta({
    description:
      "The NIST SP 800-53 control that DISA's list gives for the CCI: AC-2 (1); null for a CCI that is not in the list",
  }),
  control: z.string().meta({ description: 'The control of the ontology that the CCI matches' }),
  path: z.array(z.string()).meta({ description: 'Rule, CCI, relation, technique' }),
})

export const ontologySchema = z.object({ version: z.string(), digest: z.string() })

type CountermeasureLink = z.infer<typeof linkSchema>
export type NistControls = ReadonlyMap<string, readonly z.infer<typeof nistControl>[]>

export function shapeTechnique({ iri, d3fendId, label }: NamedTechnique): z.infer<typeof techniqueSchema> {
  return { iri, id: shortName(iri), d3fend_id: d3fendId, label }
}

/** The paths of one rule as links, sorted by technique, CCI, control and relation. */
export function shapeLinks(ruleId: string, paths: readonly ControlPath[], nist: NistControls): CountermeasureLink[] {
  const links = paths.map(({ cci, control, relation: property, technique }) => {
    const relation = relationName(property)
    const controlsOfTechnique = [...(nist.get(technique.iri) ?? [])]
    return {
      technique: { ...shapeTechnique(technique), nist_controls: controlsOfTechnique },
      relation,
      cci,
      cci_control: nistControls().get(cci) ?? null,
      control: shortName(control),
      path: [ruleId, cci, relation, shortName(technique.iri)],
    }
  })
  return links.sort((a, b) => compareTexts(keyOf(a), keyOf(b)))
}

function keyOf({ technique, cci, control, relation }: CountermeasureLink): readonly string[] {
  return [technique.id, cci, control, relation]
}

/** The NIST controls of techniques, by IRI, sorted by label. */
export function nistControlsOf(links: ControlLinks, techniques: Iterable<string>): NistControls {
  return new Map(
    Array.from(new Set(techniques), (technique) => {
      const controls = links.nist(technique).map(({ control, label, relation }) => {
        return { id: shortName(control), label, relation: relationName(relation) }
      })
      const texts = ({ label, id, relation }: (typeof controls)[number]): readonly string[] => [label, id, relation]
      return [technique, controls.sort((a, b) => compareTexts(texts(a), texts(b)))]
    }),
  )
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  for (const [index, text] of a.entries()) {
    const order = compareCodeUnits(text, b[index] ?? '')
    if (order !== 0) return order
  }
  return 0
}
