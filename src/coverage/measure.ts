import type { CoverageRule, CoverageSource } from '../contracts/coverage.ts'
import type { ControlLink } from '../contracts/sources.ts'
import { append } from '../platform/append.ts'
import { getOrMake } from '../platform/get-or-make.ts'
import type { OntologyPaths } from './ontology-paths.ts'

/** A rule with its source, and the links of its CCIs to techniques, each once. */
export interface MeasuredRule {
  readonly rule: CoverageRule
  /** Index in the list of sources. */
  readonly source: number
  readonly links: readonly ControlLink[]
}

/** Techniques and attacks that the rules of some documents are linked to, with ascending indexes in `rules`. */
export interface Measurement {
  readonly paths: OntologyPaths
  readonly sources: readonly CoverageSource[]
  readonly rules: readonly MeasuredRule[]
  /** Indexes of rules by the IRI of a technique that they are linked to. */
  readonly techniques: ReadonlyMap<string, readonly number[]>
  /** Indexes of rules by the IRI of an attack that one of their techniques counters. */
  readonly attacks: ReadonlyMap<string, readonly number[]>
}

/** Follows every rule by its CCIs to techniques, and these to attacks. Only stated links count; nothing is inferred. */
export function measure(paths: OntologyPaths, sources: readonly CoverageSource[]): Measurement {
  const rules = sources.flatMap((source, sourceIndex) =>
    source.rules.map((rule) => ({ rule, source: sourceIndex, links: linksOf(paths, rule) })),
  )
  const techniques = new Map<string, number[]>()
  for (const [ruleIndex, { links }] of rules.entries())
    for (const iri of new Set(links.map(({ technique }) => technique))) append(techniques, iri, ruleIndex)
  const attacks = new Map<string, Set<number>>()
  for (const [technique, ruleIndexes] of techniques) {
    const countered = new Set((paths.counterPaths.get(technique) ?? []).map(({ other }) => other.iri))
    for (const attack of countered) {
      const reached = getOrMake(attacks, attack, () => new Set())
      for (const ruleIndex of ruleIndexes) reached.add(ruleIndex)
    }
  }
  return {
    paths,
    sources,
    rules,
    techniques,
    attacks: new Map([...attacks].map(([iri, ruleIndexes]) => [iri, [...ruleIndexes].sort((a, b) => a - b)])),
  }
}

function linksOf({ links }: OntologyPaths, { ccis }: CoverageRule): readonly ControlLink[] {
  return [...new Set(ccis)].flatMap((cci) => links.get(cci) ?? [])
}
