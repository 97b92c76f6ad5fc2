import { z } from 'zod'
import { requiredText } from '../../../http/input.ts'
import { isAddressRange } from '../../../platform/settings/address-range.ts'

/** Limits of the lifetime of a token, and of unrevoked tokens of a person. */
export const MAX_DAYS = 365
export const MAX_TOKENS = 20
/** Days after which an unused token is revoked. */
export const IDLE_DAYS = 90
const MAX_RANGES = 100

export const SCOPES = ['read', 'write', 'admin'] as const

export const stringList = z.array(z.string())

export const tokenSchema = z.object({
  id: z.int(),
  name: z.string(),
  token_prefix: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  expires_at: z.string().meta({ format: 'date' }),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  allowed_ips: z.array(z.string()).meta({ description: 'Empty when the token works from every address' }),
  created_at: z.string(),
})

export type Token = z.infer<typeof tokenSchema>

const DAY_MS = 86_400_000

/** Returns the day in UTC, `days` from now. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
}

const EXPIRY_MISSING = "Expires at can't be blank"

const expiry = z
  .string({ error: ({ input }) => (input == null ? EXPIRY_MISSING : 'Expires at must be a date') })
  .refine(isDay, { error: 'Expires at must be a date such as 2026-12-31', abort: true })
  .refine((day) => day > dayFromNow(0), 'Expires at must be in the future')
  .refine((day) => day <= dayFromNow(MAX_DAYS), `Expires at must be within ${MAX_DAYS} days from today`)
  .meta({ format: 'date' })

const scopes = z
  .array(z.string('Scopes must be texts').meta({ enum: SCOPES }), {
    error: ({ input }) => (input == null ? "Scopes can't be blank" : 'Scopes must be a list'),
  })
  .min(1, "Scopes can't be blank")
  .superRefine((values, context) => {
    const knownScopes = new Set<string>(SCOPES)
    const unknownScopes = values.filter((scope) => !knownScopes.has(scope))
    if (unknownScopes.length > 0)
      context.addIssue({ code: 'custom', message: `Scopes contain invalid values: ${listOf(unknownScopes)}` })
  })
  .transform((values) => SCOPES.filter((scope) => values.includes(scope)))

const allowedIps = z
  .array(z.string('Allowed ips must be texts').trim(), 'Allowed ips must be a list')
  .max(MAX_RANGES, `Allowed ips are too many (maximum is ${MAX_RANGES})`)
  .superRefine((values, context) => {
    const invalidRanges = values.filter((range) => !isAddressRange(range))
    if (invalidRanges.length > 0)
      context.addIssue({
        code: 'custom',
        message: `Allowed ips contain invalid CIDR: ${listOf(invalidRanges)}`,
      })
  })

export const newTokenBody = z.object({
  name: requiredText('Name', { max: 255 }),
  scopes,
  expires_at: expiry,
  allowed_ips: allowedIps.nullish().transform((values) => values ?? []),
  current_password: z.unknown().optional().meta({ type: 'string', format: 'password' }),
})

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function listOf(texts: readonly string[]): string {
  return texts
    .slice(0, 5)
    .map((value) => value.slice(0, 50))
    .join(', ')
}
