import type { Wanted, Way } from '../../platform/words.ts'
import type { BenchmarkKind } from '../database/schema/benchmarks.ts'
import type { Where } from './expression.ts'

export type GuidanceKind = 'requirement' | 'rule' | 'authored-rule' | 'component'

/** A record of guidance that fits a question. */
export interface GuidanceMatch {
  readonly kind: GuidanceKind
  readonly recordId: number
  /** Of catalogue rules. */
  readonly iri: string | null
  /** Of the JSON that has it. */
  readonly path: string
  readonly title: string
  /** Rule id, V-number, STIG id, SRG id …; the first one is shown. */
  readonly names: readonly string[]
  readonly severity: string | null
  readonly status: string | null
  readonly benchmark: {
    readonly id: number
    readonly kind: BenchmarkKind
    readonly benchmarkId: string
    readonly title: string
    readonly version: string
  } | null
  readonly component: {
    readonly id: number
    readonly name: string
    readonly prefix: string
  } | null
  readonly ccis: readonly string[]
}

export interface GuidanceQuestion {
  /** All of them have to be met. */
  readonly wanted: readonly Wanted[]
  /** None of these may be there. */
  readonly unwanted?: readonly Way[]
  readonly where: Where
  readonly kinds: readonly GuidanceKind[]
  readonly severity: string | null
  /** Of authored rules: this component alone. */
  readonly componentId?: number
  /** Record ids; null: the newest release of each line. Of what is authored, all is looked at. */
  readonly benchmarks: readonly number[] | 'all' | null
  /** Of each kind of record that is stored by itself. */
  readonly limit: number
}
