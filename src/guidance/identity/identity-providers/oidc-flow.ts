import { z } from 'zod'

/** What the session keeps between the two steps: plain JSON. */
export const oidcFlow = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  codeVerifier: z.string().min(43),
  /** The person must have signed in at the provider after this (epoch ms); null: at any time. */
  notBefore: z.number().nullable(),
})

export type OidcFlow = z.infer<typeof oidcFlow>
