import type { RouteLocationNormalizedGeneric } from 'vue-router'

/** Addresses with the same key are states of one page: the rules of a release are, and a step to the next loads no page. */
export function pageKey({ name, params, path }: RouteLocationNormalizedGeneric): string {
  if (name !== 'benchmark' && name !== 'benchmarkRule') return path
  const { benchmark, version } = params
  return JSON.stringify([benchmark, version])
}
