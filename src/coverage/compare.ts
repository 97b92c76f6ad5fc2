import type { CoverageReport } from '../contracts/coverage.ts'
import type { OntologyDocument } from '../contracts/sources.ts'
import type { Measurement } from './measure.ts'
import { shapeSource, summarise, titleOf } from './sums.ts'

type Comparison = NonNullable<CoverageReport['comparison']>

/** Lists the techniques and attacks that only one of two sets of documents covers. */
export function compareDocuments(measured: Measurement, against: Measurement): Comparison {
  const { techniques, attacks } = measured.paths
  return {
    against: against.sources.map((source, index) => shapeSource(against, source, index)),
    summary: summarise(against),
    defensive_techniques: differenceOf(techniques, [
      { measured, covered: measured.techniques },
      { measured: against, covered: against.techniques },
    ]),
    offensive_techniques: differenceOf(attacks, [
      { measured, covered: measured.attacks },
      { measured: against, covered: against.attacks },
    ]),
  }
}

interface ComparedDocuments {
  readonly measured: Measurement
  readonly covered: ReadonlyMap<string, readonly number[]>
}

function differenceOf(
  documents: ReadonlyMap<string, OntologyDocument>,
  [comparedDocuments, other]: readonly [ComparedDocuments, ComparedDocuments],
): Comparison['defensive_techniques'] {
  const allDocuments = [...documents.values()]
  return {
    both: allDocuments.filter(({ iri }) => comparedDocuments.covered.has(iri) && other.covered.has(iri)).length,
    added: coveredOnlyBy(allDocuments, comparedDocuments, other),
    lost: coveredOnlyBy(allDocuments, other, comparedDocuments),
  }
}

function coveredOnlyBy(
  documents: readonly OntologyDocument[],
  { measured, covered }: ComparedDocuments,
  without: ComparedDocuments,
): Comparison['defensive_techniques']['added'] {
  return documents.flatMap(({ iri, name, label }) => {
    const ruleIndexes = covered.get(iri)
    if (ruleIndexes === undefined || without.covered.has(iri)) return []
    const rules = ruleIndexes.flatMap((index) => {
      const rule = measured.rules[index]
      const source = measured.sources[rule?.source ?? 0]
      return rule && source ? [{ source: titleOf(source), rule_id: rule.rule.ruleId }] : []
    })
    return [{ id: name, label, rules }]
  })
}
