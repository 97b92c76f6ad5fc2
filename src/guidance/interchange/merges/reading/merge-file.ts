import type { ReadEncoding } from '../../spreadsheets/reading/encoding.ts'
import type { FieldValue, MergedField } from '../planning/fields.ts'

/** The form of a file. DISA's vendor sheet leaves fields blank that do not apply to a status. */
export type FileForm = 'working copy' | 'vendor sheet' | 'archive' | 'xccdf' | 'checklist' | 'profile'

/** A rule in a file to merge. */
export interface FileRule {
  /** The place in the file for messages, such as `Row 5`. */
  readonly place: string
  /** Empty if the file has no SRG id. */
  readonly srgId: string
  readonly stigId: string
  /** Numbers of published rules and groups, such as `V-257777`. Only InSpec controls have them. */
  readonly numbers?: readonly string[]
  /** The title of an InSpec control, which is not merged; null if it has none. */
  readonly title?: string | null
  /** The fields in the file. Absent ones do not change. */
  readonly values: Readonly<Partial<Record<MergedField, FieldValue>>>
}

/** The files that are read on a thread. A document is an XCCDF file or a checklist; the others are InSpec profiles. */
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
  /** The digests in the file, one for each exported component. */
  readonly snapshots: readonly string[]
  readonly warnings: readonly string[]
}

export interface MergeFile extends ReadDocument {
  readonly form: FileForm
  /** The encoding of a CSV file that is not in UTF-8; null for other files. */
  readonly encoding: ReadEncoding
}
