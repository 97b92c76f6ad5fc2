import { z } from 'zod'

/** Stored in the session between the two steps, so it must be plain JSON. */
export const oidcFlow = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  codeVerifier: z.string().min(43),
  /** The person must have signed in at the provider after this (epoch ms); null: at any time. */
  notBefore: z.number().nullable(),
})

export type OidcFlow = z.infer<typeof oidcFlow>
