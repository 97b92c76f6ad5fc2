import { z } from 'zod'
import type { NamedTechnique } from '../../../../contracts/sources.ts'
import { readQuery } from '../../../../graph/query.ts'
import { append } from '../../../../platform/append.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Reader } from '../../../database/transaction.ts'
import { latestOf, type Release } from '../../benchmarks/releases.ts'
import type { Catalogue } from '../graph/catalogue-graph.ts'
import {
  findNistControls,
  linkSchema,
  ontologySchema,
  shapeLinks,
  shapeTechnique,
  techniqueSchema,
  type NistControls,
  type ControlPath,
} from './links.ts'
import {
  benchmarkHeadSchema,
  findRulesByName,
  ruleHeadSchema,
  shapeBenchmarkHead,
  shapeRuleHead,
  type RuleRecord,
} from './rule-heads.ts'
import { findTechnique } from './techniques.ts'

const TECHNIQUE_GUIDANCE = readQuery(new URL('./technique-guidance.rq', import.meta.url), [
  'benchmark',
  'rule',
  'rule_id',
  'position',
  'cci',
  'control',
  'relation',
])

const guidingRule = ruleHeadSchema.extend({
  benchmark: benchmarkHeadSchema,
  links: z.array(linkSchema),
})

/** A page of the rules that are linked to a technique: by kind and line, then in document order. */
export const techniqueGuidanceSchema = z.object({
  technique: techniqueSchema,
  ontology: ontologySchema,
  rules: z.array(guidingRule),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
})

interface TechniquePage {
  readonly technique: string
  /** The newest release of each line, or all of them. */
  readonly releases: 'latest' | 'all'
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

/** The rules that are linked to a technique. Refuses with `no_release` if there is no ontology. */
export async function findTechniqueGuidance(
  reader: Reader,
  catalogue: Catalogue,
  { technique: name, page, perPage, ...asked }: TechniquePage,
): Promise<z.infer<typeof techniqueGuidanceSchema>> {
  const { ontology } = catalogue
  if (ontology === null)
    throw new Refusal('no_release', 'No ontology has been ingested yet, or it cannot be opened.')
  const technique = findTechnique(ontology, name)
  const releases = asked.releases === 'all' ? catalogue.releases : latestOf(catalogue.releases)
  const guiding = await findGuidingRules(catalogue, technique, releases)
  const last = Math.max(1, Math.ceil(guiding.length / perPage))
  if (page > last)
    throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last}).`)
  const nist = await findNistControls(catalogue, [technique.iri])
  const shown = guiding.slice((page - 1) * perPage, page * perPage)
  return {
    technique: shapeTechnique(technique),
    ontology: { version: ontology.version, digest: ontology.digest },
    rules: await shapeRules(reader, catalogue, { shown, nist }),
    pagination: { page, per_page: perPage, total: guiding.length },
  }
}

/** A rule that is linked to the technique, with all its paths. */
interface GuidingRule {
  readonly release: Release
  /** The position of its release in the list. */
  readonly order: number
  readonly iri: string
  readonly ruleId: string
  readonly position: number
  readonly ways: readonly ControlPath[]
}

async function findGuidingRules(
  { graph, iris }: Catalogue,
  technique: NamedTechnique,
  releases: readonly Release[],
): Promise<readonly GuidingRule[]> {
  const places = new Map(
    releases.map((release, order) => [iris.benchmark(release), { release, order }]),
  )
  const rows = await graph.select(TECHNIQUE_GUIDANCE, {
    technique: [technique.iri],
    links: [iris.controls],
    cites: [`${iris.namespace}cci`],
    place: [`${iris.namespace}position`],
  })
  const rules = new Map<string, Omit<GuidingRule, 'ways'>>()
  const ways = new Map<string, ControlPath[]>()
  for (const { benchmark, rule, rule_id, position, cci, control, relation } of rows) {
    const place = places.get(benchmark.value)
    if (place === undefined) continue
    const iri = rule.value
    rules.set(iri, { ...place, iri, ruleId: rule_id.value, position: Number(position.value) })
    const way = { cci: cci.value, control: control.value, relation: relation.value, technique }
    append(ways, iri, way)
  }
  return [...rules.values()]
    .sort((a, b) => a.order - b.order || a.position - b.position)
    .map((rule) => ({ ...rule, ways: ways.get(rule.iri) ?? [] }))
}

interface ShownRules {
  readonly shown: readonly GuidingRule[]
  readonly nist: NistControls
}

/** Leaves out rules that were deleted meanwhile. */
async function shapeRules(
  reader: Reader,
  { iris }: Catalogue,
  { shown, nist }: ShownRules,
): Promise<z.infer<typeof guidingRule>[]> {
  const records = await findRulesByName(
    reader,
    shown.map(({ release }) => release.id),
    shown.map(({ ruleId }) => ruleId),
  )
  const byName = new Map<string, RuleRecord>(
    records.map((record) => [`${record.benchmark_id} ${record.rule_id}`, record]),
  )
  return shown.flatMap(({ release, iri, ruleId, ways }) => {
    const record = byName.get(`${release.id} ${ruleId}`)
    if (record === undefined) return []
    const links = shapeLinks(iris, { ruleId, ways, nist })
    const benchmark = shapeBenchmarkHead(release, iris)
    return [{ ...shapeRuleHead(record, iri), benchmark, links }]
  })
}
