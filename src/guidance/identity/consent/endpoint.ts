import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { NO_INPUT } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { checkCsrfToken } from '../sessions/csrf.ts'
import { recordConsent } from './accept.ts'

/**
 * Accepts the terms of use, before or after sign-in. The acceptance is stored in the session, and with the account once
 * it is known. A request with an existing session must prove that it comes from our pages.
 */
export function consentEndpoint(parts: Parts): Endpoint {
  const { version } = parts.settings.consent
  return endpoint({
    method: 'post',
    path: '/consent/acknowledge',
    operation: 'acknowledgeConsent',
    tag: 'Instance',
    summary: 'Remember in this session that the terms of use were accepted',
    access: everyone,
    refusals: ['invalid_csrf_token'],
    input: NO_INPUT,
    answer: z.object({ acknowledged_at: z.string(), version: z.int() }),
    handle: async ({ session, header }) => {
      if (session.recordId !== null && !session.timedOut) checkCsrfToken(session, header('X-CSRF-Token'))
      const time = new Date().toISOString()
      await session.remember({ consent: { at: time, version } })
      await recordConsent(parts, session)
      return { acknowledged_at: time, version }
    },
  })
}
