import { z } from 'zod'
import { partsProtocol } from '../../../../platform/threads/parts.ts'
import { objectWith } from '../../../../platform/threads/protocol.ts'
import { READ_KINDS, type FileFormat, type FileRule } from './merge-file.ts'

/** The parts in which XCCDF files, checklists and InSpec profiles are read. */
export type FilePart =
  | {
      readonly kind: 'head'
      readonly format: FileFormat
      readonly snapshots: readonly string[]
      readonly warnings: readonly string[]
    }
  | { readonly kind: 'rules'; readonly rules: readonly FileRule[] }

/** The parts that the reading thread sends. */
export const FILE_PARTS = partsProtocol(
  z.object({ path: z.string(), kind: z.enum(READ_KINDS) }),
  objectWith<FilePart>('kind'),
)
