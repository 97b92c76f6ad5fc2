import { z } from 'zod'

/** The answer of an endpoint that sends the browser on (303) instead of telling it something. */
export const REDIRECTION = z.object({ location: z.string() })
