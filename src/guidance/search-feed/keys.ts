import type { RecordKey } from '../../contracts/search-feed.ts'

/** The numbers of the records of these kinds. */
export function idsOf(keys: readonly RecordKey[], ...kinds: readonly RecordKey['kind'][]): readonly number[] {
  return keys.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)
}
