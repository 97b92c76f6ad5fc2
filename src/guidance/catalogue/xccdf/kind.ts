import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'

export interface KindEvidence {
  readonly benchmarkId: string
  readonly title: string
  readonly publisher: string | null
  /** `Rule/version` of the rules that have one. */
  readonly versions: readonly string[]
  /** Whether a rule's description has the tags that DISA writes. */
  readonly tagged: boolean
}

export interface Kind {
  /** Null if the publisher is not DISA and most rules are not requirements of an SRG. */
  readonly kind: BenchmarkKind | null
  /** Only some of the rules are requirements of an SRG. */
  readonly mixed: boolean
}

/**
 * Returns SRG if most rules have the id of a requirement (`SRG-…`), because ids and titles of benchmarks do not show
 * the kind. Returns STIG if anything else shows that DISA published it.
 */
export function benchmarkKind(evidence: KindEvidence): Kind {
  const { versions } = evidence
  const requirements = versions.filter((version) => version.startsWith('SRG-')).length
  const mixed = requirements > 0 && requirements < versions.length
  if (requirements > 0 && 2 * requirements > versions.length) return { kind: 'srg', mixed }
  return { kind: requirements > 0 || isFromDisa(evidence) ? 'stig' : null, mixed }
}

function isFromDisa({ benchmarkId, title, publisher, tagged }: KindEvidence): boolean {
  const names = [benchmarkId, title].join(' ')
  if (/(?<![a-z])STIG(?![a-z])|Security Technical Implementation Guide/i.test(names)) return true
  return tagged || /\bDISA\b|Defense Information Systems Agency/i.test(publisher ?? '')
}
