import { z } from 'zod'
import { isStorable, unstorable } from '../../../../http/input.ts'

/** Texts of the catalogue may be this long, and components copy them. */
export const MAX_TEXT_LENGTH = 1_000_000

/** Only refuses names of members: the reader has replaced unstorable characters in values. */
export const storable = z.string().refine(isStorable, unstorable('It'))
export const required = (max: number): z.ZodType<string> =>
  storable.max(max).refine((text) => text.trim() !== '', 'is blank')

/** Missing values become null. */
export const text = (max = MAX_TEXT_LENGTH): z.ZodType<string | null> => storable.max(max).nullable().default(null)

export const short = text(255)

export const whole = z.int().min(0).max(2_147_483_647).nullable().default(null)

export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)

export const flagOrNull = z.boolean().nullable().default(null)

/** ISO 8601, also with microseconds; stored with milliseconds. */
export const moment = z.iso
  .datetime({ offset: true })
  .refine((value) => /^(?:19[7-9]|2\d\d)\d/.test(value), 'is not a valid time')
  .transform((value) => new Date(value).toISOString())
export const momentOrNull = moment.nullable().default(null)

const texts = z.record(required(255), storable.max(5000)).refine((all) => Object.keys(all).length <= 1000)
export const metadata = texts.nullish().transform((value) => value ?? {})
