type Severity = 'error' | 'warning'

export interface Violation {
  /** By its prefixed name, as `detail` has others. */
  readonly subject: string
  readonly detail?: string
  /** Of a shape: IRIs of the property and of the kind of constraint. */
  readonly path?: string
  readonly component?: string
  /** Default: that of the check. */
  readonly severity?: Severity
}

/** A check that was run, a query or a shape, and what it found. */
export interface Checked {
  readonly name: string
  readonly summary: string
  readonly severity: Severity
  /** The IRI of a shape. */
  readonly shape?: string
  readonly violations: readonly Violation[]
}

/** What the checks found in a release. */
export interface CheckReport {
  readonly version: string
  readonly sha256: string
  readonly checks: readonly Checked[]
}

/** Where checks are that are run besides ours: each a file or a folder. */
export interface GivenChecks {
  /** Queries. */
  readonly checks?: string | undefined
  /** SHACL, in Turtle. */
  readonly shapes?: string | undefined
}
