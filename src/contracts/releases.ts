/** One release of the ontology takes the place of another; `from` is null where there was none. */
export interface ReleaseChange {
  readonly from: string | null
  readonly to: string
}

/** A change that was made. */
export interface ReleaseChanged extends ReleaseChange {
  /** Whether this process answers from it already; otherwise it does once it has opened it. */
  readonly served: boolean
}

/**
 * Which release of the ontology is served. `before` is called when all is checked and nothing has changed yet; what
 * it throws stops the change.
 */
export interface ReleaseAdministration {
  activate(
    version: string,
    before: (change: ReleaseChange) => Promise<void>,
  ): Promise<ReleaseChanged>
  /** Serves what was served before. */
  rollback(before: (change: ReleaseChange) => Promise<void>): Promise<ReleaseChanged>
  remove(version: string, before: (version: string) => Promise<void>): Promise<void>
}
