import type { Generated } from 'kysely'

/** Lists changes of searched records in the order of commits; old entries are removed, the newest one stays. */
export interface SearchChangesTable {
  sequence: Generated<number>
  /** Random: distinguishes the entry from one with the same number in another history. */
  mark: Generated<string>
  /** `start` is not a record: it stands for unknown earlier changes. */
  kind: 'start' | 'benchmark' | 'rule' | 'component'
  id: number
}
