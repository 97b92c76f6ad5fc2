import type { Generated } from 'kysely'

/** DISA's list of CCIs, or the catalogue of controls of NIST SP 800-53. */
export type ReferenceKind = 'cci_list' | 'sp800_53'

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

/** A CCI or a control. */
export interface ReferenceItemsTable {
  id: Generated<number>
  source_id: number
  /** From 0, in document order. */
  position: number
  /** `CCI-000366`, `AC-2 (1)`. */
  item_id: string
  /** JSON, see `reference-data/items.ts`. */
  document: string
}

/** A control that a CCI refers to. */
export interface ReferenceControlsTable {
  id: Generated<number>
  item_id: number
  /** Of NIST SP 800-53. */
  revision: number
  /** A control or an enhancement, without the part: `AC-2 (1)`. */
  control: string
}
