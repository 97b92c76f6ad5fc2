import { getOrMake } from '../../../platform/get-or-make.ts'
import type { Database } from '../../database/database.ts'
import { oldestValidTime } from './reader.ts'

/** Least interval between two queries, because commits are much more frequent than changes of presences. */
const INTERVAL_MS = 400

/** Notices changes of the people in a component, and of the rules that they have open, while streams follow it. */
export class PresenceWatch {
  readonly #database: Database
  /** The followers and the last snapshot of each component. */
  readonly #watched = new Map<number, { watchers: number; snapshot: string }>()
  #refreshedAt = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** Watches a component until the returned function is called. */
  follow(componentId: number): () => void {
    const watched = getOrMake(this.#watched, componentId, () => ({ watchers: 0, snapshot: '' }))
    watched.watchers += 1
    return () => {
      watched.watchers -= 1
      if (watched.watchers === 0) this.#watched.delete(componentId)
    }
  }

  /** A text that differs after each change in the component. */
  snapshotOf(componentId: number): string {
    return this.#watched.get(componentId)?.snapshot ?? ''
  }

  /** Reads the presences again; returns whether any have changed. */
  async refresh(): Promise<boolean> {
    if (this.#watched.size === 0 || Date.now() - this.#refreshedAt < INTERVAL_MS) return false
    this.#refreshedAt = Date.now()
    const rows = await this.#database.read
      .selectFrom('presences')
      .select(['component_id', 'user_id', 'rule_id'])
      .distinct()
      .where('component_id', 'in', [...this.#watched.keys()])
      .where('seen_at', '>', oldestValidTime())
      .orderBy('user_id')
      .orderBy('rule_id')
      .execute()
    let hasChanged = false
    for (const [id, watched] of this.#watched) {
      const present = rows.filter(({ component_id }) => component_id === id)
      const snapshot = present.map(({ user_id, rule_id }) => `${user_id}:${rule_id}`).join(' ')
      hasChanged ||= snapshot !== watched.snapshot
      watched.snapshot = snapshot
    }
    return hasChanged
  }
}
