import type { Generated } from 'kysely'

/** What has changed that is searched, in the order of commits; old entries go, the newest one stays. */
export interface SearchChangesTable {
  sequence: Generated<number>
  /** Random: tells the entry from one with the same number in another history. */
  mark: Generated<string>
  /** `start` is no record: nothing is known of what was before it. */
  kind: 'start' | 'benchmark' | 'rule' | 'component'
  id: number
}
