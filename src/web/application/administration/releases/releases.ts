import type { components } from '#api-types'

export type ListedRelease = components['schemas']['ListReleasesAnswer']['releases'][number]

/** What an administrator is asked to confirm. */
export interface ReleaseAction {
  readonly act: 'activate' | 'remove' | 'rollback'
  /** What is served then, or removed. */
  readonly version: string
}
