import type { CoverageReport } from '../contracts/coverage.ts'
import type { ClassRelative, CounterPath, OntologyDocument } from '../contracts/sources.ts'
import { getOrMake } from '../platform/get-or-make.ts'
import { compareDocuments } from './compare.ts'
import type { Measurement } from './measure.ts'
import { compact } from './names.ts'
import type { OntologyPaths } from './ontology-paths.ts'
import { shapeSource, summarise } from './sums.ts'

type TacticSums = CoverageReport['tactics']

interface TacticCount {
  readonly label: string
  covered: number
  total: number
  readonly rules: Set<number>
}

export const MEANING =
  'Which techniques the ontology links to the CCIs that rules cite, and which attacks touch what these techniques ' +
  'defend. It tells which rules are linked to what, and by which path; it does not tell that an attack is prevented.'

interface ReportContext {
  readonly against: Measurement | null
  /** Other releases that link CCIs; empty if this release does. */
  readonly others: readonly string[]
}

/** The whole answer: what is covered, by which rules, by which paths, and what is not. */
export function shapeReport(measured: Measurement, { against, others: otherReleases }: ReportContext): CoverageReport {
  const { paths, sources } = measured
  return {
    ontology: { ...paths.release, cci_count: paths.links.size, domains: [...paths.domains] },
    note: noteOn(paths, otherReleases),
    linking_releases: [...otherReleases],
    meaning: MEANING,
    sources: sources.map((source, index) => shapeSource(measured, source, index)),
    summary: summarise(measured),
    rules: shapeRules(measured),
    defensive_techniques: shapeTechniques(measured),
    offensive_techniques: shapeAttacks(measured),
    tactics: tacticSums(measured),
    gaps: findGaps(measured),
    comparison: against && compareDocuments(measured, against),
  }
}

export function noteOn({ links, release }: OntologyPaths, otherReleases: readonly string[]): string | null {
  if (links.size > 0) return null
  const reason = `Release ${release.version} of the ontology links no CCI to a technique, so that no rule is counted.`
  if (otherReleases.length === 0) return `${reason} No other release that is stored does.`
  return `${reason} These releases do: ${otherReleases.join(', ')}.`
}

function shapeRules({ rules, paths }: Measurement): CoverageReport['rules'] {
  return rules.map(({ rule, source, links }) => ({
    source,
    rule_id: rule.ruleId,
    title: rule.title,
    severity: rule.severity,
    status: rule.status,
    path: rule.path,
    ccis: [...rule.ccis],
    links: links.map(({ technique, control, relation }) => ({
      technique: paths.techniques.get(technique)?.name ?? technique,
      cci: control,
      relation,
    })),
  }))
}

function shapeTechniques(measured: Measurement): CoverageReport['defensive_techniques'] {
  const { paths, techniques, rules } = measured
  return [...paths.techniques.values()].flatMap((document) => {
    const ruleIndexes = techniques.get(document.iri)
    if (ruleIndexes === undefined) return []
    const relations: Record<string, number> = {}
    for (const index of ruleIndexes)
      for (const { technique, relation } of rules[index]?.links ?? [])
        if (technique === document.iri) relations[relation] = (relations[relation] ?? 0) + 1
    const countered = (paths.counterPaths.get(document.iri) ?? []).map(({ other }) => other.iri)
    return [{ ...shapeTechnique(document), rules: [...ruleIndexes], relations, counters: new Set(countered).size }]
  })
}

function shapeAttacks(measured: Measurement): CoverageReport['offensive_techniques'] {
  const { paths, attacks } = measured
  return [...paths.attacks.values()].flatMap((document) => {
    const ruleIndexes = attacks.get(document.iri)
    if (ruleIndexes === undefined) return []
    const defenses = defensesOf(measured, document.iri)
    return [{ ...shapeAttack(document), rules: [...ruleIndexes], defenses }]
  })
}

interface DefendingTechniques {
  readonly paths: OntologyPaths
  readonly techniques: { has(iri: string): boolean }
}

type Defenses = CoverageReport['offensive_techniques'][number]['defenses']

/** The techniques of some set that counter an attack, with the paths. */
export function defensesOf({ paths, techniques }: DefendingTechniques, attack: string): Defenses {
  const defenders = (paths.defenders.get(attack) ?? []).filter((iri) => techniques.has(iri))
  return defenders.map((iri) => {
    const counterPaths = (paths.counterPaths.get(iri) ?? []).filter(({ other }) => other.iri === attack)
    return { technique: paths.techniques.get(iri)?.name ?? iri, ways: counterPaths.map(shapeWay) }
  })
}

function shapeWay({ by, relation, artifact, otherArtifact, otherRelation }: CounterPath): CounterWay {
  return {
    by: shapeRelative(by),
    relation,
    artifact: { id: compact(artifact.iri), label: artifact.label },
    attack_artifact: shapeRelative(otherArtifact),
    attack_relation: otherRelation,
  }
}

type CounterWay = Defenses[number]['ways'][number]

function shapeRelative({ iri, label, is }: ClassRelative): CounterWay['by'] {
  return { id: compact(iri), label, is }
}

function findGaps({ paths, rules, techniques, attacks }: Measurement): CoverageReport['gaps'] {
  const unlinked = rules.flatMap(({ links }, index) => (links.length === 0 ? [index] : []))
  const cited = new Set(rules.flatMap(({ rule }) => rule.ccis))
  const name = (iri: string): string => paths.techniques.get(iri)?.name ?? iri
  return {
    rules: unlinked,
    ccis: [...cited].filter((cci) => !paths.links.has(cci)).sort(),
    defensive_techniques: [...paths.techniques.values()].filter(({ iri }) => !techniques.has(iri)).map(shapeTechnique),
    offensive_techniques: [...paths.attacks.values()]
      .filter(({ iri }) => !attacks.has(iri))
      .map((document) => ({
        ...shapeAttack(document),
        techniques: (paths.defenders.get(document.iri) ?? []).map(name),
      })),
  }
}

type Technique = CoverageReport['gaps']['defensive_techniques'][number]
type Attack = Omit<CoverageReport['gaps']['offensive_techniques'][number], 'techniques'>

export function shapeTechnique(document: OntologyDocument): Technique {
  const { iri, name, id, label } = document
  return { iri, id: name, d3fend_id: id, label, tactics: tacticsOf(document) }
}

export function shapeAttack(document: OntologyDocument): Attack {
  const { iri, name, id, label, domain } = document
  return { iri, id: name, attack_id: id, domain, label, tactics: tacticsOf(document) }
}

function tacticsOf({ tactics }: OntologyDocument): Technique['tactics'] {
  return tactics.map(({ iri, label }) => ({ id: compact(iri), label }))
}

/** Counts covered techniques and attacks by tactic. A technique with several tactics counts for each. */
function tacticSums({ paths, techniques, attacks }: Measurement): TacticSums {
  return {
    defensive: sumByTactic(paths.techniques, techniques, paths.tacticOrder).map(({ sum }) => sum),
    offensive: sumByTactic(paths.attacks, attacks, paths.tacticOrder).map(({ iri, sum }) => ({
      ...sum,
      domain: paths.tacticDomains.get(iri) ?? null,
    })),
  }
}

function sumByTactic(
  documents: ReadonlyMap<string, OntologyDocument>,
  covered: ReadonlyMap<string, readonly number[]>,
  order: readonly string[],
): readonly { readonly iri: string; readonly sum: TacticSums['defensive'][number] }[] {
  const sums = new Map<string, TacticCount>()
  for (const { iri, tactics } of documents.values())
    for (const tactic of tactics) {
      const { label } = tactic
      const sum = getOrMake(sums, tactic.iri, () => ({ label, covered: 0, total: 0, rules: new Set<number>() }))
      const ruleIndexes = covered.get(iri)
      sum.total += 1
      if (ruleIndexes === undefined) continue
      sum.covered += 1
      for (const index of ruleIndexes) sum.rules.add(index)
    }
  return [...new Set([...order, ...sums.keys()])].flatMap((iri) => {
    const sum = sums.get(iri)
    if (sum === undefined) return []
    const techniques = { covered: sum.covered, total: sum.total }
    return [{ iri, sum: { id: compact(iri), label: sum.label, techniques, rules: sum.rules.size } }]
  })
}
