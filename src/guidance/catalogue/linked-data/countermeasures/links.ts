import { z } from 'zod'
import type { NamedTechnique } from '../../../../contracts/sources.ts'
import { readQuery } from '../../../../graph/query.ts'
import { compareCodeUnits } from '../../../../graph/term.ts'
import { append } from '../../../../platform/append.ts'
import type { Catalogue } from '../graph/catalogue-graph.ts'
import type { Iris } from '../graph/iris.ts'
import { cciName, relationName, shortName } from './names.ts'

const NIST_CONTROLS = readQuery(new URL('./nist-controls.rq', import.meta.url), [
  'technique',
  'control',
  'label',
  'relation',
])

export const techniqueSchema = z.object({
  iri: z.string(),
  id: z.string().meta({ description: 'Prefixed name, such as d3f:AccountLocking' }),
  d3fend_id: z.string().nullable(),
  label: z.string().nullable(),
})

const nistControl = z.object({
  id: z.string(),
  label: z.string().meta({ description: 'Such as AC-2(1)' }),
  relation: z.string(),
})

/** One path from a rule to a technique. */
export const linkSchema = z.object({
  technique: techniqueSchema,
  relation: z.string().meta({ description: 'What the control says of the technique: narrower, …' }),
  cci: z.string(),
  control: z.string().meta({ description: 'The control of the ontology that the CCI matches' }),
  path: z.array(z.string()).meta({ description: 'Rule, CCI, relation, technique' }),
  nist_controls: z.array(nistControl),
})

export const ontologySchema = z.object({ version: z.string(), digest: z.string() })

export type CountermeasureLink = z.infer<typeof linkSchema>
export type NistControls = ReadonlyMap<string, readonly z.infer<typeof nistControl>[]>

/** One path as the graph returns it, with full IRIs. */
export interface ControlPath {
  readonly cci: string
  readonly control: string
  readonly relation: string
  readonly technique: NamedTechnique
}

export function shapeTechnique({
  iri,
  d3fendId,
  label,
}: NamedTechnique): z.infer<typeof techniqueSchema> {
  return { iri, id: shortName(iri), d3fend_id: d3fendId, label }
}

interface RuleWays {
  readonly ruleId: string
  readonly ways: readonly ControlPath[]
  readonly nist: NistControls
}

/** The paths of one rule as links, sorted by technique, CCI, control and relation. */
export function shapeLinks(iris: Iris, { ruleId, ways, nist }: RuleWays): CountermeasureLink[] {
  const links = ways.map(({ cci, control, relation, technique }) => {
    const steps = { relation: relationName(relation), cci: cciName(iris, cci) }
    const name = shortName(technique.iri)
    return {
      technique: shapeTechnique(technique),
      ...steps,
      control: shortName(control),
      path: [ruleId, steps.cci, steps.relation, name],
      nist_controls: [...(nist.get(technique.iri) ?? [])],
    }
  })
  return links.sort((a, b) => compareTexts(keyOf(a), keyOf(b)))
}

function keyOf({ technique, cci, control, relation }: CountermeasureLink): readonly string[] {
  return [technique.id, cci, control, relation]
}

/** The NIST controls of techniques, by IRI, sorted by label. */
export async function findNistControls(
  { graph, iris }: Catalogue,
  techniques: readonly string[],
): Promise<NistControls> {
  const rows = await graph.select(NIST_CONTROLS, {
    technique: [...new Set(techniques)],
    links: [iris.controls],
  })
  const byTechnique = new Map<string, z.infer<typeof nistControl>[]>()
  for (const { technique, control, label, relation } of rows) {
    const id = shortName(control.value)
    const found = { id, label: label.value, relation: relationName(relation.value) }
    append(byTechnique, technique.value, found)
  }
  for (const controls of byTechnique.values())
    controls.sort((a, b) => compareTexts([a.label, a.id, a.relation], [b.label, b.id, b.relation]))
  return byTechnique
}

function compareTexts(a: readonly string[], b: readonly string[]): number {
  for (const [index, text] of a.entries()) {
    const order = compareCodeUnits(text, b[index] ?? '')
    if (order !== 0) return order
  }
  return 0
}
