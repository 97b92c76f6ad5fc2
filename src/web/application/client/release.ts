import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { useRoute } from 'vue-router'
import { site } from './site.ts'

interface PickedRelease {
  /** Null: the release that is active. */
  readonly version: string | null
  /** The `baseUrl` for requests to the ontology. */
  readonly baseUrl: string
  /** For links to pages that show the same release. */
  readonly query: { readonly release?: string }
}

/** Names of the pages that show the release in the address; others do not depend on a release. */
const RELEASE_PAGES: ReadonlySet<unknown> = new Set([
  'start',
  'matrix',
  'attacks',
  'tactic',
  'technique',
  'artifact',
  'attack',
  'weakness',
  'subject',
  'coverage',
  'ownList',
  'benchmark',
  'benchmarkRule',
  'stig',
  'srg',
])

export function isOfRelease(page: unknown): boolean {
  return RELEASE_PAGES.has(page)
}

/** The release of the ontology that the address names (`?release=0.16.0`), or the active one. */
export function usePickedRelease(): ComputedRef<PickedRelease> {
  const route = useRoute()
  return computed(() => shapeRelease(route.query.release))
}

export function shapeRelease(namedVersion: MaybeRefOrGetter<unknown>): PickedRelease {
  const version = toValue(namedVersion)
  if (typeof version !== 'string' || version === '') return { version: null, baseUrl: site.base, query: {} }
  const baseUrl = `${site.base}releases/${encodeURIComponent(version)}`
  return { version, baseUrl, query: { release: version } }
}
