import type { LocationQueryValue } from 'vue-router'

const ACCOUNT = '/account'

/** Where somebody who signs in goes then: a path of this service and of no other, or the account. */
export function returnPath(named: LocationQueryValue | LocationQueryValue[] | undefined): string {
  if (typeof named !== 'string' || !/^\/(?![/\\])/.test(named)) return ACCOUNT
  const target = new URL(named, location.origin)
  return target.origin === location.origin ? target.pathname + target.search + target.hash : ACCOUNT
}
