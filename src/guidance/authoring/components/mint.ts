import { ruleIdOf } from '../../database/rule-names.ts'

/** The leading letters of a prefix: `CNTR-00` → `CNTR`; null where it has none. */
export function tokenOf(prefix: string): string | null {
  return /^[A-Z]+/i.exec(prefix)?.[0] ?? null
}

interface RuleIdentity {
  /** Unique in the document, and never given twice. */
  readonly number: number
  /** Id of the core requirement that it was made from. */
  readonly version: string | null
  readonly minted_id: string | null
}

/**
 * The final id of a requirement (reference, guidance-xccdf §5): the id of the core requirement, the
 * token, the number: `SRG-APP-000014-CNTR-000035`; `CNTR-000035` for one that was made from none. One
 * that has its id keeps it.
 */
export function mintedId({ number, version, minted_id }: RuleIdentity, token: string): string {
  if (minted_id !== null) return minted_id
  return [...(version === null ? [] : [version]), token, ruleIdOf(number)].join('-')
}
