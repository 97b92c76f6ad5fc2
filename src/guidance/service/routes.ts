import type { Request, RequestHandler, Router } from 'express'
import session from 'express-session'
import type { Endpoint } from '../../http/endpoint.ts'
import { endpointRoutes, runHandler } from '../../http/routes.ts'
import { databaseAway, isUnreachable } from '../database/faults.ts'
import { httpSession, NO_SESSION } from '../identity/sessions/http-session.ts'
import { secondsLeft, SessionStore } from '../identity/sessions/store.ts'
import { isTokenHeader } from '../identity/tokens/authenticate.ts'
import { authenticate } from './authenticate.ts'
import type { GuidanceService } from './service.ts'

/** The endpoints of the guidance service, with their sessions and authentication. */
export function guidanceRoutes(service: GuidanceService): Router {
  const { endpoints, uploads, limits, log, keys, secure, storage } = service
  const sessions = sessionMiddleware(service)
  return endpointRoutes({
    endpoints,
    uploads,
    limits,
    log,
    openSession: async ({ request, response }, endpoint) => {
      if (isByToken(service, endpoint, request)) return NO_SESSION
      await runHandler(sessions, request, response)
      const remainingSeconds = secondsLeft(request.session, service.settings.session.idleMs)
      if (remainingSeconds !== null) response.set('X-Session-Ends-In', String(remainingSeconds))
      return httpSession(request, { csrfKey: keys.csrf, secure })
    },
    authenticate: (endpoint, arriving) => authenticate(service, endpoint, arriving),
    explain: (error) => (isUnreachable(error) ? databaseAway() : storage.note(error)),
  })
}

function sessionMiddleware(service: GuidanceService): RequestHandler {
  const { database, settings, keys, secure } = service
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return session({
    name: service.cookie,
    secret: keys.cookie,
    // Makes the library send the cookie in any case; signing in decides whether the connection is secure enough,
    // and gives the reason if not.
    proxy: true,
    resave: false,
    saveUninitialized: false,
    cookie,
    store: new SessionStore({ database, cookie, ...settings.session }),
  })
}

/** Endpoints without authentication ignore tokens, so that signing in works with one, too. */
function isByToken({ settings }: GuidanceService, { access }: Endpoint, request: Request): boolean {
  if (access.authentication === 'none' || !settings.tokensEnabled) return false
  return isTokenHeader(request.get('Authorization'))
}
