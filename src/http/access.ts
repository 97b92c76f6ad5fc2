import type { Caller } from './caller.ts'
import { notAuthenticated, permissionDenied } from './refusals.ts'
import type { RawRequest } from './request.ts'

/**
 * Decides who may call an operation. `docs/authorisation.md` lists the rule of each; a test calls each operation in every
 * role and compares.
 */
export interface Access<Grant> {
  /** The rule as written in the table. */
  readonly rule: string
  /**
   * `none`: anybody; `any`: a session or a token; `session`: a session; `optional`: a session, a
   * token, or nobody.
   */
  readonly authentication: 'none' | 'any' | 'session' | 'optional'
  /** Returns the caller's grant, or throws a refusal. */
  grant(request: RawRequest): Promise<Grant>
}

export interface CallerGrant {
  readonly caller: Caller
}

export const everyone: Access<null> = {
  rule: 'everyone',
  authentication: 'none',
  grant: () => Promise.resolve(null),
}

/** Everybody; callers who are signed in also get what they may read. */
export const anyone: Access<Caller | null> = {
  rule: 'everyone; of what is authored, what they may read',
  authentication: 'optional',
  grant: ({ caller }) => Promise.resolve(caller),
}

export const signedIn = callerAccess<CallerGrant>('signed in', (caller) => Promise.resolve({ caller }))

export const bySession: Access<CallerGrant> = {
  ...signedIn,
  rule: 'signed in, by session',
  authentication: 'session',
}

export const siteAdmin = callerAccess<CallerGrant>('site admin', (caller) => {
  if (!caller.admin) throw permissionDenied('Only a site administrator may do this.')
  return Promise.resolve({ caller })
})

export const siteAdminBySession: Access<CallerGrant> = {
  ...siteAdmin,
  rule: 'site admin, by session',
  authentication: 'session',
}

/** Access by a session or a token. `grant` finds the caller's grant, or throws a refusal. */
export function callerAccess<Grant>(
  rule: string,
  grant: (caller: Caller, request: RawRequest) => Promise<Grant>,
): Access<Grant> {
  return { rule, authentication: 'any', grant: async (request) => grant(callerOf(request), request) }
}

export function callerOf({ caller }: RawRequest): Caller {
  if (caller === null) throw notAuthenticated()
  return caller
}
