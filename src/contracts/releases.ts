/** One release of the ontology takes the place of another; `from` is null where there was none. */
export interface ReleaseChange {
  readonly from: string | null
  readonly to: string
}

export interface AppliedReleaseChange extends ReleaseChange {
  /** True if this process answers from the release already; otherwise it still has to open it. */
  readonly served: boolean
}

/**
 * Changes the active release of the ontology. `before` is called when all is checked and nothing has changed yet; an error
 * that it throws stops the change.
 */
export interface ReleaseAdministration {
  activate(version: string, before: (change: ReleaseChange) => Promise<void>): Promise<AppliedReleaseChange>
  /** Activates the previous release. */
  rollback(before: (change: ReleaseChange) => Promise<void>): Promise<AppliedReleaseChange>
  remove(version: string, before: (version: string) => Promise<void>): Promise<void>
}
