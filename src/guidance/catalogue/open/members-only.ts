import { callerOf, signedIn } from '../../../http/access.ts'
import type { Endpoint } from '../../../http/endpoint.ts'

/**
 * Asks for an account where an endpoint asks for none, on an instance whose catalogue is not public. An endpoint that asks
 * for an account already stays as it is.
 */
export function membersOnly(endpoint: Endpoint): Endpoint {
  const { authentication } = endpoint.access
  if (authentication === 'any' || authentication === 'session') return endpoint
  const { rule } = signedIn
  return {
    ...endpoint,
    access: { rule, authentication: 'any' },
    // Pages of another origin have no account here.
    open: false,
    run: async (request) => {
      callerOf(request)
      return endpoint.run(request)
    },
  }
}
