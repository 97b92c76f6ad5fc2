import type { ReadAs } from '../../spreadsheets/reading/encoding.ts'
import type { FieldValue, MergedField } from '../planning/fields.ts'

/** How a file states rules. DISA's vendor sheet leaves fields blank that a status does not have. */
export type ReturnedForm = 'working copy' | 'vendor sheet' | 'archive' | 'xccdf' | 'checklist'

/** A rule as a file states it. */
export interface ReturnedRule {
  /** Its place in the file, for messages: `Row 5`. */
  readonly place: string
  /** Empty if the file has none. */
  readonly srgId: string
  readonly stigId: string
  /** The fields that the file has; absent ones are not changed. */
  readonly values: Readonly<Partial<Record<MergedField, FieldValue>>>
}

export const FILE_FORMATS = ['spreadsheet', 'archive', 'xccdf', 'ckl', 'cklb'] as const

export type FileFormat = (typeof FILE_FORMATS)[number]

export interface ReturnedFile {
  readonly format: FileFormat
  readonly form: ReturnedForm
  readonly rules: readonly ReturnedRule[]
  /** Digests of what was exported, one for each component. */
  readonly snapshots: readonly string[]
  readonly warnings: readonly string[]
  /** How a CSV file was read that is not in UTF-8; null for other files. */
  readonly encoding: ReadAs
}
