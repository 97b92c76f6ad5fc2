import { z } from 'zod'
import { Refusal } from '../../../../platform/errors.ts'
import type { Reader } from '../../../database/transaction.ts'
import { latestOf, type Release } from '../../benchmarks/releases.ts'
import { findCiting } from './citations.ts'
import type { ControlLinks } from './control-links.ts'
import { ontologySchema, shapeTechnique, techniqueSchema } from './links.ts'

/** The techniques that rules are linked to, each with the number of these rules. */
export const techniqueRuleCountsSchema = z.object({
  ontology: ontologySchema,
  techniques: z.array(techniqueSchema.extend({ rule_count: z.int() })),
})

interface RuleCountSources {
  readonly ontology: ControlLinks | null
  readonly releases: readonly Release[]
}

/** Counts the rules of the newest releases for each technique. Refuses with `no_release` if there is no ontology. */
export async function countTechniqueRules(
  reader: Reader,
  { ontology, releases }: RuleCountSources,
): Promise<z.infer<typeof techniqueRuleCountsSchema>> {
  if (ontology === null) throw new Refusal('no_release', 'No ontology has been ingested yet, or it cannot be opened.')
  const paths = ontology.techniques.map(({ iri }) => ({ iri, ccis: new Set(ontology.to(iri).map(({ cci }) => cci)) }))
  const citing = await findCiting(reader, new Set(paths.flatMap(({ ccis }) => [...ccis])))
  const latest = new Set(latestOf(releases).map(({ id }) => id))
  const rules = citing.filter(({ benchmarkId }) => latest.has(benchmarkId))
  const counts = new Map(
    paths.map(({ iri, ccis }) => [iri, rules.filter((rule) => [...rule.ccis].some((cci) => ccis.has(cci))).length]),
  )
  return {
    ontology: { version: ontology.version, digest: ontology.digest },
    techniques: ontology.techniques
      .map((technique) => ({ ...shapeTechnique(technique), rule_count: counts.get(technique.iri) ?? 0 }))
      .filter(({ rule_count: count }) => count > 0),
  }
}
