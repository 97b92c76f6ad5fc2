/**
 * The fields that are searched, with the weight of a word in each and the normalisation by length (BM25F). Lengths are
 * compared with fixed values instead of averages, so that neither a restart nor records that the caller may not read
 * change the order.
 */
const FIELDS = {
  title: { weight: 12, normalisation: 0.75, pivot: 12 },
  synonym: { weight: 11, normalisation: 0.75, pivot: 6 },
  names: { weight: 3, normalisation: 0.3, pivot: 8 },
  cited: { weight: 3, normalisation: 0.3, pivot: 8 },
  context: { weight: 0.5, normalisation: 0.3, pivot: 8 },
  fix: { weight: 2, normalisation: 0.5, pivot: 70 },
  check: { weight: 0.5, normalisation: 0.5, pivot: 160 },
  text: { weight: 1.1, normalisation: 0.5, pivot: 110 },
  // Texts of reference data: the CCI list, SP 800-53, ATT&CK, CWE.
  definition: { weight: 0.5, normalisation: 0.5, pivot: 110 },
  procedure: { weight: 0.4, normalisation: 0.5, pivot: 400 },
  observed: { weight: 0.4, normalisation: 0.5, pivot: 60 },
  // Findings of code checkers.
  finding: { weight: 2, normalisation: 0.5, pivot: 30 },
} as const

export type FieldName = keyof typeof FIELDS

/** Bits for sets of fields. */
export const FIELD_BITS: Readonly<Record<FieldName, number>> = {
  title: 1,
  synonym: 2,
  names: 4,
  context: 8,
  fix: 16,
  check: 32,
  text: 64,
  cited: 128,
  definition: 256,
  procedure: 512,
  observed: 1024,
  finding: 2048,
}

export const ANY_FIELD = Object.values(FIELD_BITS).reduce((bits, bit) => bits | bit, 0)

/** The words of one text of a record, from `readText`. A field may have several texts, such as synonyms. */
export interface Section {
  readonly field: FieldName
  /** In order, so that phrases can be found. */
  readonly words: readonly string[]
  /** Joined forms of words, in any order: `multifactor` of `multi-factor`. */
  readonly compounds: readonly string[]
}

/** The weight that one occurrence adds to the frequency of a word (BM25F): by field, less in a long text. */
export function worthOf({ field, words }: Section): number {
  const { weight, normalisation, pivot } = FIELDS[field]
  return weight / (1 - normalisation + (normalisation * words.length) / pivot)
}
