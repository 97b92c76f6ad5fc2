import type { Request } from 'express'
import type { Problem } from '../../http/answer/problem.ts'
import { ACCOUNT_PATHS } from '../paths/account.ts'
import { prefersHtml } from './prefers-html.ts'

/** Codes of refusals that a session would have answered. */
const NEEDS_SESSION: readonly string[] = ['not_authenticated', 'session_timed_out']

/**
 * The address of the sign-in page, and of the way back, for a browser that was refused without a session. Null where
 * a program asks, which prefers one of the types of data, and below `/api/`, which people open to see the answer itself.
 */
export function signInPath(request: Request, { code }: Problem, dataTypes: readonly string[]): string | null {
  const { method, path, originalUrl } = request
  const isLooking = method === 'GET' || method === 'HEAD'
  if (!isLooking || !NEEDS_SESSION.includes(code) || path.startsWith('/api/')) return null
  if (!prefersHtml(request.get('Accept'), dataTypes) || request.get('Authorization') !== undefined) return null
  return `${ACCOUNT_PATHS.signIn}?return_to=${encodeURIComponent(originalUrl)}`
}
