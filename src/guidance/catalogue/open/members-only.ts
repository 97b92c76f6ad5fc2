import { callerOf, signedIn } from '../../../http/access.ts'
import type { Endpoint } from '../../../http/endpoint.ts'

/**
 * Makes an endpoint require an account, on an instance whose catalogue is not public. One that requires an account
 * already stays as it is.
 */
export function membersOnly(endpoint: Endpoint): Endpoint {
  const { authentication } = endpoint.access
  if (authentication === 'any' || authentication === 'session') return endpoint
  const { rule } = signedIn
  return {
    ...endpoint,
    access: { rule, authentication: 'any' },
    // Pages of another origin cannot send the session.
    open: false,
    run: async (request) => {
      callerOf(request)
      return endpoint.run(request)
    },
  }
}
