/** A change of the active release of the ontology; `from` is null if there was none. */
export interface ReleaseChange {
  readonly from: string | null
  readonly to: string
}

export interface AppliedReleaseChange extends ReleaseChange {
  /** True if this process answers from the release already; otherwise it still has to open it. */
  readonly served: boolean
}

/**
 * Changes the active release of the ontology. `beforeChange` runs after all checks and before anything changes; if it
 * throws, nothing changes.
 */
export interface ReleaseAdministration {
  activate(version: string, beforeChange: (change: ReleaseChange) => Promise<void>): Promise<AppliedReleaseChange>
  /** Activates the previous release. */
  rollback(beforeChange: (change: ReleaseChange) => Promise<void>): Promise<AppliedReleaseChange>
  remove(version: string, beforeChange: (version: string) => Promise<void>): Promise<void>
}
