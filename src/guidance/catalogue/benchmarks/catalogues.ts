import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'

/** The two halves of the catalogue, and what each is called in paths, operations and messages. */
export interface Catalogue {
  readonly kind: BenchmarkKind
  /** First step of its paths. */
  readonly path: 'srgs' | 'stigs'
  /** In the names of operations. */
  readonly name: 'Srg' | 'Stig'
  readonly label: 'SRG' | 'STIG'
}

export const SRGS: Catalogue = { kind: 'srg', path: 'srgs', name: 'Srg', label: 'SRG' }
export const STIGS: Catalogue = { kind: 'stig', path: 'stigs', name: 'Stig', label: 'STIG' }

export const CATALOGUES = [SRGS, STIGS] as const

export function catalogueOf(kind: BenchmarkKind): Catalogue {
  return kind === 'srg' ? SRGS : STIGS
}
