import type { Actor } from '../../../http/caller.ts'

interface QueuedTask {
  readonly actor: Pick<Actor, 'id'>
}

/**
 * Removes the next task from the waiting ones. Accounts without a running task come first, so that the many files
 * of one account do not delay others.
 */
export function takeTurn<T extends QueuedTask>(waiting: T[], busy: ReadonlySet<Actor['id']>): T | undefined {
  const free = waiting.findIndex(({ actor }) => !busy.has(actor.id))
  return waiting.splice(Math.max(0, free), 1)[0]
}
