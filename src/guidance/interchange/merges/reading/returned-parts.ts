import { z } from 'zod'
import { partsProtocol } from '../../../../platform/threads/parts.ts'
import { having } from '../../../../platform/threads/protocol.ts'
import type { FileFormat, ReturnedRule } from './returned.ts'

/** The parts in which XCCDF files and checklists are read. */
export type ReturnedPart =
  | { readonly kind: 'head'; readonly format: FileFormat; readonly snapshots: readonly string[] }
  | { readonly kind: 'rules'; readonly rules: readonly ReturnedRule[] }

/** The parts that the reading thread sends. */
export const RETURNED_PARTS = partsProtocol(z.string(), having<ReturnedPart>('kind'))
