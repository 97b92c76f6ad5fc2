import { z } from 'zod'
import { isStorable, unstorable } from '../../../../http/input.ts'

/** The limit of catalogue texts, which components copy. */
export const MAX_TEXT_LENGTH = 1_000_000

/** Refuses names of members; characters in values have been replaced by then. */
export const storable = z.string().refine(isStorable, unstorable('It'))
export const required = (max: number): z.ZodType<string> =>
  storable.max(max).refine((text) => text.trim() !== '', 'is blank')

/** A missing value becomes null. */
export const text = (max = MAX_TEXT_LENGTH): z.ZodType<string | null> => storable.max(max).nullable().default(null)

export const short = text(255)

export const wholeNumber = z.int().min(0).max(2_147_483_647).nullable().default(null)

export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)

export const flagOrNull = z.boolean().nullable().default(null)

/** An ISO 8601 time, possibly with microseconds. It is stored with milliseconds. */
export const moment = z.iso
  .datetime({ offset: true })
  .refine((value) => /^(?:19[7-9]|2\d\d)\d/.test(value), 'is not a valid time')
  .transform((value) => new Date(value).toISOString())
export const momentOrNull = moment.nullable().default(null)

const texts = z.record(required(255), storable.max(5000)).refine((record) => Object.keys(record).length <= 1000)
export const metadata = texts.nullish().transform((value) => value ?? {})
