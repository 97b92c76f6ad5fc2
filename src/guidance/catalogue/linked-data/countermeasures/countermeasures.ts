import { z } from 'zod'
import { readQuery } from '../../../../graph/query.ts'
import { append } from '../../../../platform/append.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { Release } from '../../benchmarks/releases.ts'
import type { Catalogue } from '../graph/catalogue-graph.ts'
import {
  findNistControls,
  linkSchema,
  ontologySchema,
  shapeLinks,
  type ControlPath,
} from './links.ts'
import {
  benchmarkHeadSchema,
  findRuleRecords,
  ruleHeadSchema,
  shapeBenchmarkHead,
  shapeRuleHead,
} from './rule-heads.ts'

const COUNTERMEASURES = readQuery(
  new URL('./countermeasures.rq', import.meta.url),
  ['rule', 'cci', 'control', 'relation', 'technique'],
  ['label', 'd3fend_id'],
)

const linkedRule = ruleHeadSchema.extend({ links: z.array(linkSchema) })

/** The countermeasures of a benchmark: only rules that are linked to a technique, in document order. */
export const countermeasuresSchema = z.object({
  benchmark: benchmarkHeadSchema,
  ontology: ontologySchema.nullable(),
  rule_count: z.int(),
  linked_rule_count: z.int(),
  rules: z.array(linkedRule),
})

type Countermeasures = z.infer<typeof countermeasuresSchema>

/** The techniques that the rules of a benchmark are linked to by their CCIs. */
export async function findCountermeasures(
  reader: Reader,
  catalogue: Catalogue,
  release: Release,
): Promise<Countermeasures> {
  const { iris, ontology } = catalogue
  const ways =
    ontology === null ? new Map<string, ControlPath[]>() : await findWays(catalogue, release)
  const reached = [...ways.values()].flat().map(({ technique }) => technique.iri)
  const nist = await findNistControls(catalogue, reached)
  const records = await findRuleRecords(reader, release.id)
  const rules = records.flatMap((record) => {
    const iri = iris.rule(release, record.rule_id)
    const own = ways.get(iri)
    if (own === undefined) return []
    const links = shapeLinks(iris, { ruleId: record.rule_id, ways: own, nist })
    return [{ ...shapeRuleHead(record, iri), links }]
  })
  return {
    benchmark: shapeBenchmarkHead(release, iris),
    ontology: ontology && { version: ontology.version, digest: ontology.digest },
    rule_count: records.length,
    linked_rule_count: rules.length,
    rules,
  }
}

/** By the IRI of the rule. */
async function findWays(
  { graph, iris }: Catalogue,
  release: Release,
): Promise<Map<string, ControlPath[]>> {
  const rows = await graph.select(COUNTERMEASURES, {
    benchmark: [iris.benchmark(release)],
    cites: [`${iris.namespace}cci`],
    links: [iris.controls],
  })
  const ways = new Map<string, ControlPath[]>()
  for (const { rule, cci, control, relation, technique, label, d3fend_id } of rows) {
    append(ways, rule.value, {
      cci: cci.value,
      control: control.value,
      relation: relation.value,
      technique: {
        iri: technique.value,
        label: label?.value ?? null,
        d3fendId: d3fend_id?.value ?? null,
      },
    })
  }
  return ways
}
