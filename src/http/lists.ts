import { z } from 'zod'

interface ListLimits {
  readonly longest: number
  /** Of values. */
  readonly most: number
  readonly usual?: string
}

/** Values between commas; also those of a parameter that is given several times. Each once. */
export function listOf<T extends string>(
  value: z.ZodType<T, T>,
  { longest, most, usual = '' }: ListLimits,
): z.ZodType<T[], string | undefined> {
  return z
    .string()
    .max(longest)
    .default(usual)
    .transform((text) => [...new Set(text.split(',').map((one) => one.trim()))])
    .transform((values) => values.filter((one) => one !== ''))
    .pipe(z.array(value).max(most))
}
