import type { Database } from '../../database/database.ts'
import { goneBefore } from './reader.ts'

/** Commits come much more often than somebody opens another rule. */
const EVERY_MS = 400

/** Knows when others come to a component, go, or open another rule there, while somebody wants to know. */
export class PresenceWatch {
  readonly #database: Database
  /** By the numbers of components: how many ask, and where everybody was at the last look. */
  readonly #watched = new Map<number, { watchers: number; places: string }>()
  #lookedAt = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** Looks at a component until the returned function is called. */
  follow(componentId: number): () => void {
    const watched = this.#watched.get(componentId) ?? { watchers: 0, places: '' }
    watched.watchers += 1
    this.#watched.set(componentId, watched)
    return () => {
      watched.watchers -= 1
      if (watched.watchers === 0) this.#watched.delete(componentId)
    }
  }

  /** Something that changes when somebody moves there. */
  placesIn(componentId: number): string {
    return this.#watched.get(componentId)?.places ?? ''
  }

  /** Whether anybody has moved since the last look. */
  async look(): Promise<boolean> {
    if (this.#watched.size === 0 || Date.now() - this.#lookedAt < EVERY_MS) return false
    this.#lookedAt = Date.now()
    const rows = await this.#database.read
      .selectFrom('presences')
      .select(['component_id', 'user_id', 'rule_id'])
      .distinct()
      .where('component_id', 'in', [...this.#watched.keys()])
      .where('seen_at', '>', goneBefore())
      .orderBy('user_id')
      .orderBy('rule_id')
      .execute()
    let isNews = false
    for (const [id, watched] of this.#watched) {
      const here = rows.filter(({ component_id }) => component_id === id)
      const places = here.map(({ user_id, rule_id }) => `${user_id}:${rule_id}`).join(' ')
      isNews ||= places !== watched.places
      watched.places = places
    }
    return isNews
  }
}
