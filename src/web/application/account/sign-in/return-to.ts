import type { LocationQueryValue } from 'vue-router'

const HOME_PATH = '/home'

/** Finds the page after sign-in: a path of this service, never of another host; the work of who signs in by default. */
export function returnPath(named: LocationQueryValue | LocationQueryValue[] | undefined): string {
  if (typeof named !== 'string' || !/^\/(?![/\\])/.test(named)) return HOME_PATH
  const target = new URL(named, location.origin)
  return target.origin === location.origin ? target.pathname + target.search + target.hash : HOME_PATH
}
