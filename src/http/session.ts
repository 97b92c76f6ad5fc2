import { z } from 'zod'

/** The data of a session. */
export const sessionContent = z.object({
  /** Set once somebody has signed in. */
  userId: z.int().optional(),
  /** When the terms of use were accepted, and which version of them. */
  consent: z.object({ at: z.string(), version: z.int() }).optional(),
  /** State of a single sign-on that has begun. */
  oidc: z.object({ flow: z.unknown(), returnTo: z.string() }).optional(),
  /** Time of this person's last authentication, here or at a provider (epoch ms). */
  provenAt: z.number().optional(),
  /** Until when a sign-on through a provider may link this person's account (epoch ms). */
  linkingUntil: z.number().optional(),
  /**
   * The account whose password was correct, and the time (epoch ms), while the second factor is missing. `password` is
   * a digest of that password.
   */
  pending: z.object({ userId: z.int(), at: z.number(), password: z.string() }).optional(),
  /** Whether the second factor was shown, or set up, in this session. */
  twoStep: z.boolean().optional(),
  /** Whether a provider has signed this person in; then there is no second factor here. */
  byProvider: z.boolean().optional(),
  /** The challenge that a passkey has to sign, and when it was made (epoch ms). */
  challenge: z.object({ value: z.string(), at: z.number() }).optional(),
  /** The encrypted secret of one-time codes that are being set up, and when it was made (epoch ms). */
  newSecret: z.object({ sealed: z.string(), at: z.number() }).optional(),
  /** Address and browser of the sign-in, so that people recognise the session. */
  from: z.object({ address: z.string(), userAgent: z.string().nullable() }).optional(),
})

export type SessionContent = z.infer<typeof sessionContent>

/** The session of a request; that of a request with a token stays empty. */
export interface Session {
  readonly data: SessionContent
  /** The number of its record; null until it is stored. */
  readonly recordId: number | null
  /** Whether it was unused for too long, or is too old. */
  readonly timedOut: boolean
  /** Differs for each session. */
  readonly csrfToken: string
  /** Adds data, in a new session if this one has timed out. */
  remember(data: Partial<SessionContent>): Promise<void>
  /** Begins a new session for this person, and keeps the consent. */
  signIn(userId: number, data?: Partial<SessionContent>): Promise<void>
  /** Begins a new session without a person: its data belongs to an incomplete sign-in. */
  startOver(data: Partial<SessionContent>): Promise<void>
  /** Ends it, here and in the database. */
  end(): Promise<void>
}
