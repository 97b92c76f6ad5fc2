import type { CoverageReport, CoverageSource } from '../contracts/coverage.ts'
import type { Measurement } from './measure.ts'

export function summarise(measured: Measurement): CoverageReport['summary'] {
  const { paths, rules, techniques, attacks } = measured
  return {
    rules: { linked: rules.filter(({ links }) => links.length > 0).length, total: rules.length },
    defensive_techniques: { covered: techniques.size, total: paths.techniques.size },
    offensive_techniques: { covered: attacks.size, total: paths.attacks.size },
  }
}

/** The head of a document, with the numbers of its rules. */
export function shapeSource(
  { rules }: Measurement,
  { rules: sourceRules, ...head }: CoverageSource,
  sourceIndex: number,
): CoverageReport['sources'][number] {
  const linked = rules.filter(({ source, links }) => source === sourceIndex && links.length > 0)
  return { ...head, rule_count: sourceRules.length, linked_rule_count: linked.length }
}

/** `RHEL_9_STIG V2R7` */
export function titleOf({ name, version }: CoverageSource): string {
  return version === null ? name : `${name} ${version}`
}
