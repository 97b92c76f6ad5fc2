/** A comparison of two releases of a benchmark or of the ontology, ready to show. */
export interface Comparison {
  /** `RHEL_9_STIG V2R6` */
  readonly from: string
  readonly to: string
  /** `3 rules added, 1 removed, …` */
  readonly summary: string
  readonly isSame: boolean
  readonly items: readonly ChangedItem[]
  /** The answer of the service for the same two releases. */
  readonly json: unknown
}

/** A changed rule or record. */
export interface ChangedItem {
  readonly change: string
  /** Its names, the usual one first. */
  readonly names: readonly string[]
  readonly title: string
  /** Text of the last column of a table. */
  readonly note: string
  readonly fields: readonly ChangedField[]
}

/** The texts of a field in both releases; empty in the one that lacks it. */
export interface ChangedField {
  readonly field: string
  readonly before: string
  readonly after: string
}
