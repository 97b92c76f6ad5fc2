import { FIELDS } from '../../../tables/fields.ts'

const LIMITS: ReadonlyMap<string, number> = new Map(FIELDS.map(({ name, limit }) => [name, limit]))

/** The limit for texts of a rule that are not fields: checks, descriptions, answers. */
const MAX_TEXT_LENGTH = 10_000

/** The maximum length of a field's text, in characters (contract, input length limits). */
export function limitOf(field: string): number {
  return LIMITS.get(field) ?? MAX_TEXT_LENGTH
}
