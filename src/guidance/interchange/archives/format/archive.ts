import { z } from 'zod'
import { partsProtocol } from '../../../../platform/threads/parts.ts'
import { having } from '../../../../platform/threads/protocol.ts'
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
  /** With the whole names of their files in the zip. */
  readonly attachments: readonly AttachmentRecord[]
}

/** The content of an archive without the documents of its SRGs. */
export interface Archive {
  readonly project: ProjectRecord | null
  readonly components: readonly ArchivedComponent[]
  /** The SRGs whose documents it has. */
  readonly srgs: readonly SrgName[]
  /** Files in which unstorable characters were replaced. */
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
  | { readonly kind: 'reviews'; readonly items: readonly ReviewRecord[] }

/** The parts that the reading thread sends. */
export const ARCHIVE_PARTS = partsProtocol(z.string(), having<ArchivePart>('kind'))
