import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { isStorable, nameForbidden } from '../platform/characters.ts'
import { Refusal, type RefusalCode } from '../platform/errors.ts'
import { refuseValues, type FieldError } from './toast.ts'

/** The largest id that both databases can hold. */
const MAX_ID = 2_147_483_647

export const NO_INPUT = z.object({})

/** A record's number in a path or a query. Other texts name no record. */
export const id = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .refine((number) => number <= MAX_ID)
  .meta({ type: 'integer', minimum: 1, maximum: MAX_ID, pattern: undefined })

/** A record's number in a JSON body. */
export const idValue = z.int().min(1).max(MAX_ID)

export const idParams = z.object({ id })

export { isStorable } from '../platform/characters.ts'

/** For `refine(isStorable, …)`: names the character that cannot be stored, and its position. */
export function unstorable(label: string): {
  readonly error: (issue: { readonly input?: unknown }) => string
} {
  const message = `${label} has characters that cannot be stored`
  return { error: ({ input }) => `${message} (${nameForbidden(String(input))})` }
}

/**
 * Refuses a body that has a text with such characters anywhere, also where its schema takes any text.
 * Passwords are left out: they are not stored as they are.
 */
export function requireStorable(input: object, failure = 'The values cannot be accepted.'): void {
  const faults: FieldError[] = []
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string' && !isStorable(value) && !/password/i.test(path.at(-1) ?? ''))
      faults.push(toFieldError({ path: [...path], message: unstorable('It').error({ input: value }) }))
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) visit(member, [...path, name])
  }
  if ('body' in input) visit(input.body, ['body'])
  if (faults.length > 0) throw refuseValues(failure, faults.slice(0, MAX_NAMED))
}

interface TextOptions {
  readonly max: number
  readonly min?: number
}

/** A text that must not be blank. Blanks around it are removed. */
export function requiredText(label: string, { max }: TextOptions): z.ZodType<string, string> {
  const error = ({ input }: { readonly input?: unknown }): string =>
    input === undefined || input === null ? `${label} can't be blank` : `${label} must be a text`
  return z
    .string({ error })
    .refine(isStorable, unstorable(label))
    .trim()
    .min(1, `${label} can't be blank`)
    .max(max, tooLong(label, max))
}

/** A text that may be null or blank; both mean that there is no text. */
export function optionalText(label: string, { max }: TextOptions): z.ZodType<string | null, string | null> {
  return z
    .string(`${label} must be a text`)
    .refine(isStorable, unstorable(label))
    .max(max, tooLong(label, max))
    .transform((text) => (text.trim() === '' ? null : text))
    .nullable()
}

function tooLong(label: string, max: number): string {
  return `${label} is too long (maximum is ${max} characters)`
}

/** The text of a search; the caller decides what a blank text means. */
export const searchText = z
  .string()
  .max(10_000)
  .refine((text) => !text.includes('\0'), 'must not contain NUL')

/** For the OpenAPI document: invalid values are not refused; the description says what they count as. */
export function describeForgiving(description: string): { description: string; 'x-forgiving': true } {
  return { description, 'x-forgiving': true }
}

/** A whole number in a query, limited to its bounds. */
export function clampedInteger(bounds: {
  readonly min: number
  readonly max: number
  /** Without the parameter. */
  readonly default: number
  /** For texts that are not numbers. */
  readonly invalid: number
}): z.ZodType<number, string | undefined> {
  return z
    .string()
    .optional()
    .transform((text) => {
      if (text === undefined || text.trim() === '') return bounds.default
      const number = /^\s*[-+]?\d+/.exec(text)
      if (number === null) return bounds.invalid
      return Math.min(bounds.max, Math.max(bounds.min, Number(number[0])))
    })
    .meta({
      type: 'integer',
      minimum: bounds.min,
      maximum: bounds.max,
      'x-default': bounds.default,
      ...describeForgiving(`Values outside count as the nearest limit, other texts as ${bounds.invalid}`),
    })
}

/**
 * Removes empty parameters from a query, because forms also send empty fields. Texts and lists that may be empty stay.
 */
export function dropBlanks(
  query: Readonly<Record<string, unknown>>,
  schema: z.ZodType | undefined,
  lists: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  if (!(schema instanceof z.ZodObject)) return query
  const parameters: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  const isBlank = (name: string, value: unknown): boolean => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (typeof value !== 'string' || value.trim() !== '' || parameter === undefined) return false
    if (lists.includes(name)) return false
    return z.safeParse(parameter, undefined).success && !z.safeParse(parameter, value).success
  }
  const filled = Object.entries(query).filter(([name, value]) => !isBlank(name, value))
  return Object.fromEntries(filled)
}

/** Limit of the faults in an answer, because a small body could cause a huge answer. */
const MAX_NAMED = 100

/** The refusal of invalid input, by the part of the request that is wrong. */
export function refuseInput(
  { issues }: z.ZodError,
  request: { readonly body: unknown },
  failure = 'The values cannot be accepted.',
): Refusal {
  const first = issues[0]
  if (first === undefined || first.path[0] === 'params') return notFound()
  if (first.path[0] === 'query') return refuseQuery(first)
  const misshapen = issues.find((issue) => isMisshapen(issue, request.body))
  if (misshapen !== undefined) return refuseShape(misshapen, request.body)
  return refuseValues(failure, issues.slice(0, MAX_NAMED).map(toFieldError))
}

/** The id of a record in the path of a request; 404 for anything else. */
export function pathId({ params }: { readonly params: Readonly<Record<string, unknown>> }, name = 'id'): number {
  const result = id.safeParse(params[name])
  if (!result.success) throw notFound()
  return result.data
}

/** Missing and hidden records get the same answer, so that it does not reveal which it is. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'The requested resource could not be found.')
}

function refuseQuery({ path, message }: z.core.$ZodIssue): Refusal {
  const name = String(path[1] ?? 'query')
  return new Refusal('parameter_invalid', `${name}: ${message}.`, { parameter: name })
}

/** Whether the body, or the object that wraps its values, is missing or not an object. */
function isMisshapen(issue: z.core.$ZodIssue, body: unknown): boolean {
  if (issue.code !== 'invalid_type') return false
  if (issue.path.length === 1) return true
  return issue.path.length === 2 && (issue.expected === 'object' || valueAt(body, issue) === undefined)
}

function refuseShape(issue: z.core.$ZodIssue, body: unknown): Refusal {
  const name = issue.path[1]
  if (name === undefined) {
    const missing = body === undefined || body === null
    return missing
      ? new Refusal('parameter_missing', 'The request needs a body: a JSON object.')
      : new Refusal('parameter_invalid', 'The body must be a JSON object.')
  }
  const parameter = String(name)
  return valueAt(body, issue) === undefined
    ? new Refusal('parameter_missing', `The body needs "${parameter}".`, { parameter })
    : new Refusal('parameter_invalid', `"${parameter}" must be an object.`, { parameter })
}

function valueAt(body: unknown, { path }: z.core.$ZodIssue): unknown {
  const name = path[1]
  if (typeof body !== 'object' || body === null || name === undefined) return undefined
  return Object.getOwnPropertyDescriptor(body, name)?.value
}

/** Leaves out `body` and, if there is one, the name of the object that wraps the values. */
function toFieldError({ path, message }: Pick<z.core.$ZodIssue, 'path' | 'message'>): FieldError {
  const steps = path.slice(path.length > 2 && typeof path[2] !== 'number' ? 2 : 1)
  return { field: steps.length === 0 ? null : steps.join('.'), message }
}

/** No body needs more. */
const MAX_DEPTH = 32
const MAX_VALUES = 20_000

/**
 * Refuses a body that schemas cannot check: nested too deeply for recursion, with so many values that it takes seconds,
 * or with a `length` that cannot be compared, because Zod compares it even if the value is not a text.
 */
export function checkShape(body: unknown): void {
  let level: readonly unknown[] = [body]
  let values = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length
    if (values > MAX_VALUES) throw new Refusal('body_too_large', `The body has more than ${MAX_VALUES} values.`)
    if (depth >= MAX_DEPTH)
      throw new Refusal('parameter_invalid', `The body is nested deeper than ${MAX_DEPTH} levels.`)
    level = level.flatMap(membersOf)
  }
}

function membersOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const length: unknown = Object.getOwnPropertyDescriptor(value, 'length')?.value
  if (typeof length === 'object' && length !== null)
    throw new Refusal('parameter_invalid', '"length" must not be an object.', {
      parameter: 'length',
    })
  return Object.values(value)
}

const bodyFault = z.looseObject({
  type: z.string().default(''),
  status: z.int().min(400).max(499),
  message: z.string().default(''),
})

/** For the parser of bodies, which would replace malformed bytes by U+FFFD. */
export function requireUtf8(_request: unknown, _response: unknown, bytes: Buffer, charset: string): void {
  if (charset !== 'utf-8' || isUtf8(bytes)) return
  const replaced = Buffer.from(bytes.toString())
  const position = bytes.findIndex((byte, index) => byte !== replaced[index])
  throw Object.assign(new Error(`at position ${position}`), { status: 400, type: 'utf8.invalid' })
}

/** The refusal of a body that the parser rejects. Never repeats the body: it may hold a password. */
export function refuseBody(error: unknown, limit: string): unknown {
  const fault = bodyFault.safeParse(error)
  if (!fault.success) return error
  const { type, message } = fault.data
  const position = /at position (\d+)/.exec(message)?.[1]
  const location = position === undefined ? '' : ` (at position ${position})`
  const refusals: Readonly<Record<string, readonly [RefusalCode, string]>> = {
    'entity.parse.failed': ['malformed_json', `The body is not valid JSON${location}.`],
    'entity.too.large': ['body_too_large', `The body is larger than ${limit}.`],
    'charset.unsupported': ['unsupported_media_type', 'The charset is not supported.'],
    'encoding.unsupported': ['unsupported_media_type', 'The content coding is not supported.'],
    'utf8.invalid': ['malformed_json', `The body is not valid UTF-8${location}.`],
    'request.aborted': ['malformed_json', 'The body ended too early.'],
    'request.size.invalid': ['malformed_json', 'The length of the body differs from Content-Length.'],
  }
  // Errors without a type: the body is damaged, or not compressed as its header says.
  const unreadable = ['malformed_json', 'The body cannot be read.'] as const
  return new Refusal(...(refusals[type] ?? unreadable))
}

interface ListOptions {
  /** In characters. */
  readonly maxLength: number
  /** Number of values. */
  readonly maxItems: number
  /** Without the parameter; default: no values. */
  readonly default?: string
}

/** Values separated by commas, without duplicates; also those of a repeated parameter. */
export function listOf<T extends string>(
  value: z.ZodType<T, T>,
  { maxLength, maxItems, default: defaultText = '' }: ListOptions,
): z.ZodType<T[], string | undefined> {
  return z
    .string()
    .max(maxLength)
    .default(defaultText)
    .transform((text) => [...new Set(text.split(',').map((item) => item.trim()))])
    .transform((values) => values.filter((item) => item !== ''))
    .pipe(z.array(value).max(maxItems))
}
