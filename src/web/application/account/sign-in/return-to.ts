import type { LocationQueryValue } from 'vue-router'

const HOME_PATH = '/home'

/** Finds the page after the sign-in: a path of this service, never of another host; by default My work. */
export function returnPath(requestedPath: LocationQueryValue | LocationQueryValue[] | undefined): string {
  if (typeof requestedPath !== 'string' || !/^\/(?![/\\])/.test(requestedPath)) return HOME_PATH
  const target = new URL(requestedPath, location.origin)
  return target.origin === location.origin ? target.pathname + target.search + target.hash : HOME_PATH
}
