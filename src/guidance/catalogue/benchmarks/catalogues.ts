import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'

/** The SRGs or the STIGs of the catalogue, with their names in paths, operations and messages. */
export interface Catalogue {
  readonly kind: BenchmarkKind
  /** The first segment of its paths. */
  readonly path: 'srgs' | 'stigs'
  /** Used in the ids of operations. */
  readonly name: 'Srg' | 'Stig'
  readonly label: 'SRG' | 'STIG'
}

export const SRGS: Catalogue = { kind: 'srg', path: 'srgs', name: 'Srg', label: 'SRG' }
export const STIGS: Catalogue = { kind: 'stig', path: 'stigs', name: 'Stig', label: 'STIG' }

export const CATALOGUES = [SRGS, STIGS] as const

export function catalogueOf(kind: BenchmarkKind): Catalogue {
  return kind === 'srg' ? SRGS : STIGS
}
