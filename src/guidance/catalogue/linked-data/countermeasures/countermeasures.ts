import { z } from 'zod'
import type { Reader } from '../../../database/transaction.ts'
import type { Release } from '../../benchmarks/releases.ts'
import type { Iris } from '../graph/iris.ts'
import { citationsOf } from './citations.ts'
import type { ControlLinks, ControlPath } from './control-links.ts'
import { linkSchema, nistControlsOf, ontologySchema, shapeLinks } from './links.ts'
import {
  benchmarkHeadSchema,
  findRuleRecords,
  ruleHeadSchema,
  shapeBenchmarkHead,
  shapeRuleHead,
} from './rule-heads.ts'

const linkedRule = ruleHeadSchema.extend({ links: z.array(linkSchema) })

/** The rules of a benchmark that are linked to a technique, in document order. */
export const countermeasuresSchema = z.object({
  benchmark: benchmarkHeadSchema,
  ontology: ontologySchema.nullable(),
  rule_count: z.int(),
  linked_rule_count: z.int(),
  rules: z.array(linkedRule),
})

export interface LinkSources {
  readonly iris: Iris
  /** Null while there is no release. */
  readonly ontology: ControlLinks | null
}

/** The techniques that the rules of a benchmark are linked to by their CCIs. */
export async function findCountermeasures(
  reader: Reader,
  { iris, ontology }: LinkSources,
  release: Release,
): Promise<z.infer<typeof countermeasuresSchema>> {
  const records = await findRuleRecords(reader, release.id)
  const pathsByRule =
    ontology === null ? new Map<number, ControlPath[]>() : await findControlPaths(reader, ontology, release.id)
  const techniques = [...pathsByRule.values()].flat().map(({ technique }) => technique.iri)
  const nist = ontology === null ? new Map<string, never>() : nistControlsOf(ontology, techniques)
  const rules = records.flatMap((record) => {
    const paths = pathsByRule.get(record.id)
    if (paths === undefined) return []
    const links = shapeLinks(record.rule_id, paths, nist)
    return [{ ...shapeRuleHead(record, iris.rule(release, record.rule_id)), links }]
  })
  return {
    benchmark: shapeBenchmarkHead(release, iris),
    ontology: ontology && { version: ontology.version, digest: ontology.digest },
    rule_count: records.length,
    linked_rule_count: rules.length,
    rules,
  }
}

/** Finds the paths of rules, by the id of the rule; rules without any are left out. */
export async function findControlPaths(
  reader: Reader,
  ontology: ControlLinks,
  benchmarkId: number,
): Promise<ReadonlyMap<number, readonly ControlPath[]>> {
  const cited = await citationsOf(reader, benchmarkId)
  const pathsByRule = Array.from(cited, ([rule, ccis]) => {
    return [rule, [...ccis].flatMap((cci) => ontology.from(cci))] as const
  })
  return new Map(pathsByRule.filter(([, paths]) => paths.length > 0))
}
