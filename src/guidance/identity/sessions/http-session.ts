import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import type { Request } from 'express'
import type { SessionContent, Session } from '../../../http/session.ts'
import { Refusal } from '../../../platform/errors.ts'

interface Protection {
  readonly csrfKey: Buffer
  /** Whether the cookie may only go over https. */
  readonly secure: boolean
}

/** The session of a request, through `express-session`. */
export function httpSession(request: Request, { csrfKey, secure }: Protection): Session {
  return {
    get data() {
      return request.session.parapet ?? {}
    },
    get recordId() {
      return request.session.recordId ?? null
    },
    get timedOut() {
      return request.session.timedOut ?? false
    },
    get csrfToken() {
      return createHmac('sha256', csrfKey).update(request.sessionID).digest('base64url')
    },
    remember: async (data) => {
      if (secure && !isSecure(request)) refuseInsecure()
      if (request.session.timedOut === true) await renew(request)
      request.session.parapet = { ...request.session.parapet, ...data }
      // Saved here, because errors of the library's own save, after the answer, would not be noticed.
      await promisify(request.session.save.bind(request.session))()
    },
    signIn: (userId, data = {}) => begin(request, secure, { userId, ...data }),
    startOver: (data) => begin(request, secure, data),
    end: async () => {
      await promisify(request.session.destroy.bind(request.session))()
    },
  }
}

/** The session of a request that has none. */
export const NO_SESSION: Session = {
  data: {},
  recordId: null,
  timedOut: false,
  csrfToken: '',
  remember: () => Promise.resolve(),
  signIn: () => Promise.reject(new Error('There is no session to sign in to')),
  startOver: () => Promise.reject(new Error('There is no session to begin')),
  end: () => Promise.resolve(),
}

async function begin(request: Request, secure: boolean, data: SessionContent): Promise<void> {
  if (secure && !isSecure(request)) refuseInsecure()
  const consent = request.session.timedOut === true ? undefined : request.session.parapet?.consent
  await renew(request)
  request.session.parapet = { ...(consent !== undefined && { consent }), ...data }
  await promisify(request.session.save.bind(request.session))()
}

/** Changes the value of the cookie, so that a cookie planted by an attacker is not signed in. */
async function renew(request: Request): Promise<void> {
  await promisify(request.session.regenerate.bind(request.session))()
}

/** Whether the request is secure, by the rule of `express-session`, which would silently send no cookie. */
function isSecure(request: Request): boolean {
  return /^\s*https\s*(,|$)/i.test(request.get('X-Forwarded-Proto') ?? '')
}

function refuseInsecure(): never {
  throw new Refusal(
    'insecure_transport',
    'SERVICE_BASE_URL is https, but the request did not say that it came over https. ' +
      'The proxy in front must send X-Forwarded-Proto: https.',
  )
}
