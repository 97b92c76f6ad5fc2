import { z } from 'zod'
import type { NamedTechnique } from '../../../../contracts/sources.ts'
import { nearestNames, type Spelling } from '../../../../graph/nearest.ts'
import { D3F } from '../../../../graph/vocabulary.ts'
import { append } from '../../../../platform/append.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Reader } from '../../../database/transaction.ts'
import { latestOf, type Release } from '../../benchmarks/releases.ts'
import type { Iris } from '../graph/iris.ts'
import { type CitingRule, findCiting } from './citations.ts'
import type { ControlLinks, ControlPath } from './control-links.ts'
import type { LinkSources } from './countermeasures.ts'
import {
  linkSchema,
  type NistControls,
  nistControlsOf,
  ontologySchema,
  shapeLinks,
  shapeTechnique,
  techniqueSchema,
} from './links.ts'
import { relationName, shortName } from './names.ts'
import { benchmarkHeadSchema, findRules, ruleHeadSchema, shapeBenchmarkHead, shapeRuleHead } from './rule-heads.ts'

const guidingRule = ruleHeadSchema.extend({
  benchmark: benchmarkHeadSchema,
  links: z.array(linkSchema),
})

/** A page of the rules that are linked to a technique: by kind and line, then in document order. */
export const techniqueGuidanceSchema = z.object({
  technique: techniqueSchema,
  ontology: ontologySchema,
  rules: z.array(guidingRule),
  relation_counts: z
    .record(z.string(), z.int())
    .meta({ description: 'Rules that have a link with each relation, whatever relations were asked for' }),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
})

interface TechniquePage {
  readonly technique: string
  /** Whether to read the newest release of each line, or all releases. */
  readonly releases: 'latest' | 'all'
  /** Only links with these relations count; empty means all. */
  readonly relations: readonly string[]
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

/** The rules that are linked to a technique. Refuses with `no_release` if there is no ontology. */
export async function findTechniqueGuidance(
  reader: Reader,
  { iris, ontology, ...catalogue }: LinkSources & { readonly releases: readonly Release[] },
  { technique: name, page, perPage, relations, ...filter }: TechniquePage,
): Promise<z.infer<typeof techniqueGuidanceSchema>> {
  if (ontology === null) throw new Refusal('no_release', 'No ontology has been ingested yet, or it cannot be opened.')
  const technique = findTechnique(ontology, name)
  const releases = filter.releases === 'all' ? catalogue.releases : latestOf(catalogue.releases)
  const guidingRules = await findGuidingRules(reader, { ontology, technique, releases })
  const relatedRules = onlyRelated(guidingRules, relations)
  const last = Math.max(1, Math.ceil(relatedRules.length / perPage))
  if (page > last) throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last}).`)
  const nist = nistControlsOf(ontology, [technique.iri])
  const shownRules = relatedRules.slice((page - 1) * perPage, page * perPage)
  return {
    technique: shapeTechnique(technique),
    ontology: { version: ontology.version, digest: ontology.digest },
    rules: await shapeRules(reader, iris, { shownRules, nist }),
    relation_counts: countRelations(guidingRules),
    pagination: { page, per_page: perPage, total: relatedRules.length },
  }
}

/** A rule that is linked to the technique, with all its paths. */
interface GuidingRule extends CitingRule {
  readonly release: Release
  /** The position of its release in the list. */
  readonly order: number
  readonly paths: readonly ControlPath[]
}

interface GuidanceRequest {
  readonly ontology: ControlLinks
  readonly technique: NamedTechnique
  readonly releases: readonly Release[]
}

async function findGuidingRules(
  reader: Reader,
  { ontology, technique, releases }: GuidanceRequest,
): Promise<readonly GuidingRule[]> {
  const orderedReleases = new Map(releases.map((release, order) => [release.id, { release, order }]))
  const pathsByCci = new Map<string, ControlPath[]>()
  for (const path of ontology.to(technique.iri)) append(pathsByCci, path.cci, path)
  const citing = await findCiting(reader, new Set(pathsByCci.keys()))
  return citing
    .flatMap((rule) => {
      const orderedRelease = orderedReleases.get(rule.benchmarkId)
      const paths = [...rule.ccis].flatMap((cci) => pathsByCci.get(cci) ?? [])
      return orderedRelease === undefined ? [] : [{ ...rule, ...orderedRelease, paths }]
    })
    .sort((a, b) => a.order - b.order || a.position - b.position)
}

function onlyRelated(rules: readonly GuidingRule[], relations: readonly string[]): readonly GuidingRule[] {
  if (relations.length === 0) return rules
  return rules
    .map((rule) => ({
      ...rule,
      paths: rule.paths.filter(({ relation }) => relations.includes(relationName(relation))),
    }))
    .filter(({ paths }) => paths.length > 0)
}

function countRelations(rules: readonly GuidingRule[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { paths } of rules)
    for (const relation of new Set(paths.map((path) => relationName(path.relation))))
      counts[relation] = (counts[relation] ?? 0) + 1
  return counts
}

/** Leaves out rules that were deleted meanwhile. */
async function shapeRules(
  reader: Reader,
  iris: Iris,
  { shownRules, nist }: { readonly shownRules: readonly GuidingRule[]; readonly nist: NistControls },
): Promise<z.infer<typeof guidingRule>[]> {
  const records = await findRules(
    reader,
    shownRules.map(({ id }) => id),
  )
  const byId = new Map(records.map((record) => [record.id, record]))
  return shownRules.flatMap(({ id, release, ruleId, paths }) => {
    const record = byId.get(id)
    if (record === undefined) return []
    const links = shapeLinks(ruleId, paths, nist)
    const benchmark = shapeBenchmarkHead(release, iris)
    return [{ ...shapeRuleHead(record, iris.rule(release, ruleId)), benchmark, links }]
  })
}

/**
 * Finds a technique by name: `d3f:AccountLocking`, `AccountLocking`, `D3-AL` or the full IRI. Refuses unknown names,
 * and suggests the nearest.
 */
export function findTechnique(
  { techniques, version }: Pick<ControlLinks, 'techniques' | 'version'>,
  name: string,
): NamedTechnique {
  const iri = D3F + name.replace(/^d3f:/, '')
  const foundTechnique =
    techniques.find((technique) => technique.iri === name || technique.iri === iri) ??
    techniques.find(({ d3fendId }) => d3fendId?.toUpperCase() === name.toUpperCase())
  if (foundTechnique !== undefined) return foundTechnique
  const similarNames = nearestNames(fold(name), techniques.flatMap(spellingsOf)).map((match) => match.name)
  const hint = similarNames[0] === undefined ? '' : ` Did you mean ${similarNames[0]}?`
  const detail = `There is no technique "${name}" in release ${version}.${hint}`
  throw new Refusal('subject_not_found', detail, similarNames.length === 0 ? {} : { did_you_mean: similarNames })
}

function spellingsOf({ iri, label, d3fendId }: NamedTechnique): readonly Spelling[] {
  const name = shortName(iri)
  const spellings = [name, label, d3fendId].filter((spelling) => spelling !== null)
  return spellings.map((spelling) => ({ folded: fold(spelling), name }))
}

/** Returns the same key for `d3f:AccountLocking`, `account-locking` and `Account Locking`. */
function fold(name: string): string {
  return name
    .toLowerCase()
    .replace(/^.*[:#]/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
