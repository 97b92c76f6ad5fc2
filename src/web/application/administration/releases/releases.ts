import type { components } from '#api-types'

export type Listed = components['schemas']['ListReleasesAnswer']['releases'][number]

/** What an administrator is asked to confirm. */
export type Asked =
  | { readonly act: 'activate' | 'remove'; readonly release: Listed }
  | { readonly act: 'rollback' }
