import { z } from 'zod'
import { partsProtocol } from '../../../../platform/threads/parts.ts'
import { objectWith } from '../../../../platform/threads/protocol.ts'
import type { ZipSource } from '../../../catalogue/files/zip.ts'
import type { MilestoneRecord } from './milestone-schema.ts'
import type {
  AttachmentRecord,
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
  /** Their files have full names in the zip. */
  readonly attachments: readonly AttachmentRecord[]
  /** Their files have full names in the zip. */
  readonly milestones: readonly MilestoneRecord[]
}

/** The content of an archive without the documents of its SRGs. */
export interface Archive {
  readonly project: ProjectRecord | null
  readonly components: readonly ArchivedComponent[]
  /** The SRGs whose documents are in the archive. */
  readonly srgs: readonly SrgName[]
  /** Files in which characters that cannot be stored were replaced. */
  readonly replaced: readonly string[]
}

/** The parts in which an archive is read; parts after a component belong to it. */
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
  | { readonly kind: 'attachments'; readonly items: readonly AttachmentRecord[] }
  | { readonly kind: 'milestones'; readonly items: readonly MilestoneRecord[] }
  | { readonly kind: 'reviews'; readonly items: readonly ReviewRecord[] }

/** The path of an archive, or its bytes. */
const ARCHIVE_SOURCE: z.ZodType<ZipSource> = z.union([z.string(), z.instanceof(Uint8Array)])

/** The parts that the reading thread sends. */
export const ARCHIVE_PARTS = partsProtocol(ARCHIVE_SOURCE, objectWith<ArchivePart>('kind'))
