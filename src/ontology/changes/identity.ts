import { append } from '../../platform/append.ts'
import type { OntologyRecord, ComparedRelease } from './records.ts'

/** The evidence that two records are the same thing. */
export type IdentityEvidence = 'iri' | 'identifier' | 'label'

export interface RecordPair {
  readonly before: OntologyRecord
  readonly after: OntologyRecord
  readonly by: IdentityEvidence
}

/** The records of two releases, matched, each in the order of IRIs. */
export interface Identities {
  readonly pairs: readonly RecordPair[]
  readonly removed: readonly OntologyRecord[]
  readonly added: readonly OntologyRecord[]
}

/**
 * Matches records by IRI. The remaining records of the same kind are matched by identifier, then by label, ignoring
 * case. An identifier or a label must be unique in each release.
 */
export function identify(from: ComparedRelease, to: ComparedRelease): Identities {
  const remainingFrom = new Map(from.records)
  const remainingTo = new Map(to.records)
  const pairs: RecordPair[] = []
  const addPair = (before: OntologyRecord, after: OntologyRecord, evidence: IdentityEvidence): void => {
    pairs.push({ before, after, by: evidence })
    remainingFrom.delete(before.iri)
    remainingTo.delete(after.iri)
  }
  for (const [iri, before] of from.records) {
    const after = to.records.get(iri)
    if (after !== undefined) addPair(before, after, 'iri')
  }
  for (const [evidence, keysOf] of OTHER_EVIDENCE)
    for (const [before, after] of uniquePairs(remainingFrom, remainingTo, keysOf)) addPair(before, after, evidence)
  return { pairs, removed: [...remainingFrom.values()], added: [...remainingTo.values()] }
}

type KeysOf = (record: OntologyRecord) => readonly string[]

const OTHER_EVIDENCE: readonly (readonly [IdentityEvidence, KeysOf])[] = [
  ['identifier', ({ kind, id }) => (id === null ? [] : [`${kind} ${id}`])],
  ['label', ({ kind, labels }) => labels.map((label) => `${kind} ${label.toLowerCase()}`)],
]

/** Pairs of records that share a key which no other record of either side has. */
function uniquePairs(
  remainingFrom: ReadonlyMap<string, OntologyRecord>,
  remainingTo: ReadonlyMap<string, OntologyRecord>,
  keysOf: KeysOf,
): readonly (readonly [OntologyRecord, OntologyRecord])[] {
  const befores = byKey(remainingFrom, keysOf)
  const afters = byKey(remainingTo, keysOf)
  const paired = new Set<OntologyRecord>()
  return [...befores].flatMap(([key, [before, ...otherBefores]]) => {
    const [after, ...otherAfters] = afters.get(key) ?? []
    if (before === undefined || after === undefined || otherBefores.length + otherAfters.length > 0) return []
    if (paired.has(before) || paired.has(after)) return []
    paired.add(before).add(after)
    return [[before, after] as const]
  })
}

function byKey(
  records: ReadonlyMap<string, OntologyRecord>,
  keysOf: KeysOf,
): ReadonlyMap<string, readonly OntologyRecord[]> {
  const groups = new Map<string, OntologyRecord[]>()
  for (const record of records.values()) for (const key of new Set(keysOf(record))) append(groups, key, record)
  return groups
}
