import type { RouteLocationNormalizedGeneric } from 'vue-router'

/** Addresses with the same key are states of one page, such as the rules of a release; no page is loaded between them. */
export function pageKey({ name, params, path }: RouteLocationNormalizedGeneric): string {
  if (name !== 'benchmark' && name !== 'benchmarkRule') return path
  const { benchmark, version } = params
  return JSON.stringify([benchmark, version])
}
