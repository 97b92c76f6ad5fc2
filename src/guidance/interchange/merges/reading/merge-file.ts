import type { ReadEncoding } from '../../spreadsheets/reading/encoding.ts'
import type { FieldValue, MergedField } from '../planning/fields.ts'

/** The form of a file. DISA's vendor sheet leaves fields blank that a status does not have. */
export type FileForm = 'working copy' | 'vendor sheet' | 'archive' | 'xccdf' | 'checklist' | 'profile'

/** A rule in a file to merge. */
export interface FileRule {
  /** Its place in the file, for messages: `Row 5`. */
  readonly place: string
  /** Empty if the file has none. */
  readonly srgId: string
  readonly stigId: string
  /** Numbers of published rules and groups, such as `V-257777`, that only an InSpec control has. */
  readonly numbers?: readonly string[]
  /** Only that of a control, which is not merged; null if it has none. */
  readonly title?: string | null
  /** The fields that the file has; absent ones are not changed. */
  readonly values: Readonly<Partial<Record<MergedField, FieldValue>>>
}

/** Files that are read on a thread: a document is an XCCDF file or a checklist, the others are InSpec profiles. */
export const READ_KINDS = ['document', 'zip', 'tar.gz', 'ruby'] as const

export interface ReadTask {
  readonly path: string
  readonly kind: (typeof READ_KINDS)[number]
}

export const FILE_FORMATS = ['spreadsheet', 'archive', 'xccdf', 'ckl', 'cklb', 'inspec'] as const

export type FileFormat = (typeof FILE_FORMATS)[number]

export interface ReadDocument {
  readonly format: FileFormat
  readonly rules: readonly FileRule[]
  /** Digests of what was exported, one for each component. */
  readonly snapshots: readonly string[]
  readonly warnings: readonly string[]
}

export interface MergeFile extends ReadDocument {
  readonly form: FileForm
  /** How a CSV file was read that is not in UTF-8; null for other files. */
  readonly encoding: ReadEncoding
}
