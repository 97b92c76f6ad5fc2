type Severity = 'error' | 'warning'

export interface Violation {
  /** By its prefixed name, as `detail` has others. */
  readonly subject: string
  readonly detail?: string
  /** For a shape: the IRIs of the property and of the kind of constraint. */
  readonly path?: string
  readonly component?: string
  /** Default: that of the check. */
  readonly severity?: Severity
}

/** A check that was run, a query or a shape, and what it found. */
export interface CheckOutcome {
  readonly name: string
  readonly summary: string
  readonly severity: Severity
  /** The IRI of a shape. */
  readonly shape?: string
  readonly violations: readonly Violation[]
}

/** The results of all checks of a release. */
export interface CheckReport {
  readonly version: string
  readonly sha256: string
  readonly checks: readonly CheckOutcome[]
}

/** Paths of additional checks: each a file or a folder. */
export interface ExtraChecks {
  /** Queries. */
  readonly checks?: string | undefined
  /** SHACL, in Turtle. */
  readonly shapes?: string | undefined
}
