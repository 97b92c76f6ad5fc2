import type { Request, Response } from 'express'
import { SESSION_MARK } from '../paths/session-mark.ts'

/** The script of a page cannot read the cookie of the session, so a cookie beside it says that there is one. */
export class SessionMark {
  readonly #cookie: string

  /** With the name of the cookie of sessions. */
  constructor(cookie: string) {
    this.#cookie = cookie
  }

  /** Whether a session may be there; it may have ended. */
  isThere(request: Request): boolean {
    return namesIn(request).includes(this.#cookie)
  }

  /** For browsers that have lost what they stored for the pages, and not the session. */
  set(request: Request, response: Response): void {
    if (!this.isThere(request) || namesIn(request).includes(SESSION_MARK)) return
    response.cookie(SESSION_MARK, 'yes', { sameSite: 'lax', path: '/', secure: request.secure })
  }
}

function namesIn(request: Request): readonly string[] {
  return (request.get('Cookie') ?? '').split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? '')
}
