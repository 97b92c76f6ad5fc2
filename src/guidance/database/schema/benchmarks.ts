import type { Generated } from 'kysely'
import type { FieldColumns } from '../../../tables/field-columns.ts'
import type { DISCUSSION_FIELDS } from '../../../tables/field-lists.ts'
import type { ReferenceKind } from '../../../tables/reference-kinds.ts'
import type { Severity } from '../../../tables/severities.ts'

/** Security Requirements Guide or Security Technical Implementation Guide. */
export type BenchmarkKind = 'srg' | 'stig'

/** A release of an SRG or STIG. The columns are explained where they are read (`xccdf/`). */
export interface BenchmarksTable {
  id: Generated<number>
  kind: BenchmarkKind
  benchmark_id: string
  version: string
  /** The numbers of the version, by which releases are sorted: V1R0.1 is 1, 0, 1. */
  major: number
  minor: number
  patch: number
  title: string
  name: string
  /** YYYY-MM-DD. */
  release_date: string | null
  status: string | null
  status_date: string | null
  description: string | null
  language: string | null
  publisher: string | null
  source: string | null
  xccdf: '1.1' | '1.2'
  /** 0 or 1: an SRG from which other SRGs are made. */
  core: number
  /** SHA-256 (hex) of the content, not of the bytes of the file. */
  digest: string
  rule_count: number
  high_count: number
  medium_count: number
  low_count: number
  /** JSON array of warnings. */
  warnings: string
  created_at: string
}

/** The file as it was uploaded. */
export interface BenchmarkFilesTable {
  benchmark_id: number
  /** SHA-256 (hex) of the bytes. */
  sha256: string
  /** gzip (RFC 1952). */
  content: Buffer
}

export interface BenchmarkRulesTable extends FieldColumns<(typeof DISCUSSION_FIELDS)[number]> {
  id: Generated<number>
  benchmark_id: number
  /** From 0, in document order. */
  position: number
  rule_id: string
  group_id: string | null
  group_title: string | null
  version: string | null
  title: string
  severity: Severity
  weight: string
  status: string | null
}

/** A part of a rule, which may have several, in document order. */
interface RulePart {
  id: Generated<number>
  rule_id: number
}

export interface BenchmarkChecksTable extends RulePart {
  system: string | null
  content_ref_name: string | null
  content_ref_href: string | null
  content: string | null
}

export interface BenchmarkFixesTable extends RulePart {
  fixref: string | null
  fix_id: string | null
  text: string | null
}

export interface BenchmarkIdentsTable extends RulePart {
  system: string
  value: string
}

export interface BenchmarkReferencesTable extends RulePart {
  href: string | null
  title: string | null
  publisher: string | null
  type: string | null
  subject: string | null
  identifier: string | null
}

/** A former benchmark id of a product. */
export interface BenchmarkAliasesTable {
  id: Generated<number>
  alias: string
  /** Never an alias itself. */
  benchmark_id: string
  created_at: string
}

/** DISA's list of CCIs, the catalogue of controls of NIST SP 800-53, or a domain of MITRE ATT&CK. */
/** One version of a list that somebody else publishes. */
export interface ReferenceSourcesTable {
  id: Generated<number>
  kind: ReferenceKind
  title: string
  version: string
  /** YYYY-MM-DD, or as the publisher writes it. */
  published: string | null
  /** SHA-256 (hex) of the unpacked document. */
  digest: string
  file_name: string
  item_count: number
  imported_at: string
}

/** A CCI, a control, or a technique, tactic or mitigation of ATT&CK. */
export interface ReferenceItemsTable {
  id: Generated<number>
  source_id: number
  /** From 0, in document order. */
  position: number
  /** `CCI-000366`, `AC-2 (1)`, `T1110.001`. */
  item_id: string
  /** JSON, see `reference-data/items.ts`. */
  document: string
}

/** A control that a CCI refers to. */
export interface ReferenceControlsTable {
  id: Generated<number>
  item_id: number
  /** The revision of NIST SP 800-53. */
  revision: number
  /** A control or an enhancement, without the part: `AC-2 (1)`. */
  control: string
}
