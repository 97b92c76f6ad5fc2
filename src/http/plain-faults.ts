import type { z } from 'zod'

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  bigint: 'a whole number',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
}

/** The units in which a size limit counts; numbers have none. */
const COUNTED: Readonly<Record<string, string>> = {
  array: 'items',
  set: 'items',
  string: 'characters',
  file: 'bytes',
}
const FAULT_WORDS: Readonly<Record<string, string>> = {
  invalid_format: 'does not have the expected form',
}
/** More of them help nobody. */
const MAX_NAMED = 20

type Issue = z.core.$ZodRawIssue

/**
 * Describes the fault of a value whose schema has no message of its own: `ids[1] must be a text`. In a query, the
 * refusal names the parameter.
 */
export function plainFault(issue: Issue): string | undefined {
  const predicate = predicateOf(issue)
  return predicate === undefined ? undefined : `${nameOf(issue.path ?? [])}${predicate}`
}

function nameOf([part, ...path]: readonly PropertyKey[]): string {
  if (part !== 'body' || path.length === 0) return ''
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return `${steps.join('').replace(/^\./, '')} `
}

function predicateOf(issue: Issue): string | undefined {
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? issue.expected}`
  if (issue.code === 'too_small') return `must ${describeLimit(issue.origin, 'least', issue.minimum)}`
  if (issue.code === 'too_big') return `must ${describeLimit(issue.origin, 'most', issue.maximum)}`
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values)}`
  if (issue.code === 'invalid_union') return describeUnionFault(issue.errors)
  if (issue.code === 'unrecognized_keys') return `has unknown members: ${issue.keys.slice(0, MAX_NAMED).join(', ')}`
  return FAULT_WORDS[issue.code]
}

/** Says why the value does not match each of the possible forms. */
function describeUnionFault(forms: readonly (readonly z.core.$ZodIssue[])[]): string {
  const reasons = forms.flatMap(([first]) =>
    first === undefined ? [] : `${nameOf(['body', ...first.path])}${first.message}`,
  )
  const reasonList = [...new Set(reasons)].slice(0, MAX_NAMED).join('; ')
  return reasonList === '' ? 'is not valid' : `is not valid: ${reasonList}`
}

function describeLimit(origin: string, bound: 'least' | 'most', limit: number | bigint): string {
  const counted = COUNTED[origin]
  if (counted === undefined) return `be at ${bound} ${limit}`
  return `have at ${bound} ${limit} ${Number(limit) === 1 ? counted.slice(0, -1) : counted}`
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  const names = values.slice(0, MAX_NAMED).map(String)
  const ellipsis = values.length > MAX_NAMED ? ' …' : ''
  return names.length === 1 ? names.join('') : `one of ${names.join(', ')}${ellipsis}`
}
