import type { components } from '#api-types'

export type ReleaseSummary = components['schemas']['ListReleasesAnswer']['releases'][number]

/** An action that an administrator has to confirm. */
export interface ReleaseAction {
  readonly act: 'activate' | 'remove' | 'rollback'
  /** The release to activate or to remove. */
  readonly version: string
}
