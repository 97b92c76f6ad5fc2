import { FIELDS } from '../../fields/fields.ts'

const LIMITS: ReadonlyMap<string, number> = new Map(FIELDS.map(({ name, limit }) => [name, limit]))

/** Of texts that belong to a rule without being a field of it: checks, descriptions, answers. */
const LONGEST = 10_000

/** The longest text that a field may get, in characters (contract, input length limits). */
export function limitOf(field: string): number {
  return LIMITS.get(field) ?? LONGEST
}
