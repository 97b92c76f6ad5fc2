import type { Request, RequestHandler, Router } from 'express'
import session from 'express-session'
import type { Endpoint } from '../../http/endpoint.ts'
import { endpointRoutes, through } from '../../http/routes.ts'
import { Refusal } from '../../platform/errors.ts'
import { isUnreachable } from '../database/faults.ts'
import { httpSession, NO_SESSION } from '../identity/sessions/http-session.ts'
import { SessionStore } from '../identity/sessions/store.ts'
import { isTokenHeader } from '../identity/tokens/authenticate.ts'
import { authenticate } from './authenticate.ts'
import type { GuidanceService } from './service.ts'

/** The endpoints of the guidance service, its sessions, and who is let in. */
export function guidanceRoutes(service: GuidanceService): Router {
  const { endpoints, uploads, limits, log, keys, secure, storage } = service
  const sessions = sessionMiddleware(service)
  return endpointRoutes({
    ...{ endpoints, uploads, limits, log },
    openSession: async ({ request, response }, endpoint) => {
      if (isByToken(service, endpoint, request)) return NO_SESSION
      await through(sessions, request, response)
      return httpSession(request, { csrfKey: keys.csrf, secure })
    },
    authenticate: (endpoint, arriving) => authenticate(service, endpoint, arriving),
    explain: (error) =>
      isUnreachable(error)
        ? new Refusal('database_unavailable', 'The database does not answer. Try again.')
        : storage.note(error),
  })
}

function sessionMiddleware(service: GuidanceService): RequestHandler {
  const { database, settings, keys, secure } = service
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return session({
    name: service.cookie,
    secret: keys.cookie,
    // Whether the cookie may be sent is decided when somebody signs in, with a reason.
    proxy: true,
    resave: false,
    saveUninitialized: false,
    cookie,
    store: new SessionStore({ database, cookie, ...settings.session }),
  })
}

/** Where nobody needs to be known, a token is not looked at: signing in works with one, too. */
function isByToken({ settings }: GuidanceService, { access }: Endpoint, request: Request): boolean {
  if (access.authentication === 'none' || !settings.tokensEnabled) return false
  return isTokenHeader(request.get('Authorization'))
}
