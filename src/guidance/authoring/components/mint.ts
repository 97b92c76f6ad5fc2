import { ruleIdOf } from '../../database/rule-names.ts'

/** The leading letters of a prefix: `CNTR-00` → `CNTR`; null if it does not begin with letters. */
export function tokenOf(prefix: string): string | null {
  return /^[A-Z]+/i.exec(prefix)?.[0] ?? null
}

interface RuleIdentity {
  /** Unique in the document, and never reused. */
  readonly number: number
  /** The id of the core requirement from which it was made. */
  readonly version: string | null
  readonly minted_id: string | null
}

/**
 * The final id of a requirement: the core requirement's id, the token and the number: `SRG-APP-000014-CNTR-000035`;
 * without a core requirement `CNTR-000035`. An id that was assigned before is kept.
 */
export function mintedId({ number, version, minted_id }: RuleIdentity, token: string): string {
  if (minted_id !== null) return minted_id
  return [...(version === null ? [] : [version]), token, ruleIdOf(number)].join('-')
}
