import type { Request } from 'express'
import type { Problem } from '../../http/answer/problem.ts'
import { ACCOUNT_PATHS } from '../paths/account.ts'
import { prefersHtml } from './prefers-html.ts'

/** Codes of refusals because of a missing session. */
const SESSION_REFUSALS: readonly string[] = ['not_authenticated', 'session_timed_out']

/**
 * The address of the sign-in page, with the address to return to, for a browser that was refused without a session. Null
 * for programs, which prefer one of the data types, and below `/api/`, where people want to see the answer itself.
 */
export function signInPath(request: Request, { code }: Problem, dataTypes: readonly string[]): string | null {
  const { method, path, originalUrl } = request
  const isLooking = method === 'GET' || method === 'HEAD'
  if (!isLooking || !SESSION_REFUSALS.includes(code) || path.startsWith('/api/')) return null
  if (!prefersHtml(request.get('Accept'), dataTypes) || request.get('Authorization') !== undefined) return null
  return `${ACCOUNT_PATHS.signIn}?return_to=${encodeURIComponent(originalUrl)}`
}
