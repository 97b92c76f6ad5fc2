import type { Mode } from '../../../../tables/export-formats.ts'
import type { CommentCondition } from '../../../authoring/reviews/records/listing.ts'
import type { BenchmarkKind } from '../../../database/schema/benchmarks.ts'
import type { Reader } from '../../../database/transaction.ts'
import { findComponent, type ExportedComponent } from '../component/component.ts'
import { snapshotOf } from '../component/snapshot.ts'

/** The fields of a component that are read before the others. */
export interface ComponentHead {
  readonly id: number
  readonly name: string
  readonly prefix: string
  readonly version: number | null
  readonly release: number | null
  readonly document_type: BenchmarkKind
}

export interface ExportJob {
  readonly reader: Reader
  /** At least one, in the order of the export. */
  readonly components: readonly [ComponentHead, ...ComponentHead[]]
  /** The name for all of them; null if the request is for a single component. */
  readonly groupName: string | null
  readonly mode: Mode
  readonly excludeSatisfied: boolean
  /** Conditions on the comments to export. Without conditions, all are exported. */
  readonly comments: readonly CommentCondition[]
  /** Whether to show addresses. */
  readonly withEmail: boolean
  /** For archives: whether to add the SRGs from which the components were made. */
  readonly includeSrg: boolean
  /** For archives: whether to add the members of the project. */
  readonly includeMemberships: boolean
  /** The version of this program. */
  readonly program: string
  readonly now: Date
}

/** A component with the data that its file has about the export. */
export interface ComponentToWrite extends ExportedComponent {
  readonly mode: Mode
  /** The digest of all its rules, including rules that the file leaves out. */
  readonly snapshot: string
}

/** Reads components one by one, so that only one is in memory. */
export async function* eachComponent(job: ExportJob): AsyncGenerator<ComponentToWrite, void> {
  for (const { id, document_type } of job.components) {
    const exported = await findComponent(job.reader, id)
    const { rules } = exported
    const exportedRules = job.excludeSatisfied ? rules.filter((rule) => rule.satisfiedBy.length === 0) : rules
    // An SRG is published by another mode.
    const published = job.mode === 'published_stig' && document_type === 'srg'
    const mode = published ? 'published_srg' : job.mode
    yield { ...exported, rules: exportedRules, mode, snapshot: await snapshotOf(rules) }
  }
}

/** The date of the release; today for a draft. */
export function dateOf({ component }: ExportedComponent, { now }: Pick<ExportJob, 'now'>): Date {
  return component.released_at === null ? now : new Date(component.released_at)
}
