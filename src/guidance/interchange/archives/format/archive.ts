import { z } from 'zod'
import { partsProtocol } from '../../../../platform/threads/parts.ts'
import { having } from '../../../../platform/threads/protocol.ts'
import type {
  ComponentRecord,
  ProjectRecord,
  ReviewRecord,
  RuleRecord,
  SatisfactionRecord,
  SrgName,
} from './schemas.ts'

export interface ArchivedComponent {
  readonly component: ComponentRecord
  readonly rules: readonly RuleRecord[]
  readonly satisfactions: readonly SatisfactionRecord[]
  readonly reviews: readonly ReviewRecord[]
}

/** All that an archive holds but for its SRGs. */
export interface Archive {
  readonly project: ProjectRecord | null
  readonly components: readonly ArchivedComponent[]
  /** SRGs that lie in it. */
  readonly srgs: readonly SrgName[]
  /** Files in which characters that cannot be stored were replaced. */
  readonly replaced: readonly string[]
}

/** What an archive is handed over in; what follows a component belongs to it. */
export type ArchivePart =
  | {
      readonly kind: 'head'
      readonly project: ProjectRecord | null
      readonly srgs: readonly SrgName[]
    }
  | { readonly kind: 'replaced'; readonly name: string }
  | { readonly kind: 'component'; readonly component: ComponentRecord }
  | { readonly kind: 'rules'; readonly items: readonly RuleRecord[] }
  | { readonly kind: 'satisfactions'; readonly items: readonly SatisfactionRecord[] }
  | { readonly kind: 'reviews'; readonly items: readonly ReviewRecord[] }

/** Of the thread that reads archives. */
export const ARCHIVE_PARTS = partsProtocol(z.string(), having<ArchivePart>('kind'))
