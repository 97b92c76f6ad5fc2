import type { BenchmarkKind } from '../../../database/schema/benchmarks.ts'
import type { TriageStatus } from '../../../database/schema/reviews.ts'
import type { Reader } from '../../../database/transaction.ts'
import { findComponent, type ExportedComponent } from '../component/component.ts'
import type { Mode } from '../component/modes.ts'

/** What is known of a component before all of it is read. */
export interface ComponentHead {
  readonly id: number
  readonly name: string
  readonly prefix: string
  readonly version: number | null
  readonly release: number | null
  readonly document_type: BenchmarkKind
}

/** What is to be exported, for whom. */
export interface ExportJob {
  readonly reader: Reader
  /** At least one; in the order in which the export has them. */
  readonly components: readonly [ComponentHead, ...ComponentHead[]]
  /** What they are called together; null where one was asked for by itself. */
  readonly together: string | null
  readonly mode: Mode
  readonly excludeSatisfied: boolean
  /** Of comments; null: all. */
  readonly triageStatus: TriageStatus | null
  /** Whether addresses may be shown. */
  readonly withEmail: boolean
  /** Of archives: with the SRGs that the components were made from. */
  readonly includeSrg: boolean
  /** Version of this program. */
  readonly program: string
  readonly now: Date
}

/** The components one by one, so that only one is in memory. */
export async function* eachComponent(
  job: ExportJob,
): AsyncGenerator<ExportedComponent & { readonly mode: Mode }, void> {
  for (const { id, document_type } of job.components) {
    const exported = await findComponent(job.reader, id)
    const { rules } = exported
    const kept = job.excludeSatisfied
      ? rules.filter((rule) => rule.satisfiedBy.length === 0)
      : rules
    // Published means something else for either kind.
    const published = job.mode === 'published_stig' && document_type === 'srg'
    yield { ...exported, rules: kept, mode: published ? 'published_srg' : job.mode }
  }
}

/** Of a release, when it was released; of a draft, today. */
export function dateOf({ component }: ExportedComponent, { now }: Pick<ExportJob, 'now'>): Date {
  return component.released_at === null ? now : new Date(component.released_at)
}
