import { z } from 'zod'

/** The beginning of STIG ids: `CNTR-00`. */
export const PREFIX = /^\w{4}-\w{2}$/

/** A prefix in a form. A blank one counts as absent. */
export const sheetPrefix: z.ZodType<string | null, string> = z
  .string()
  .trim()
  .refine((text) => text === '' || PREFIX.test(text), 'Prefix must be of the form AAAA-00')
  .transform((text) => (text === '' ? null : text.toUpperCase()))
  .meta({ type: 'string', description: 'Used for the ids of rows that have none' })
