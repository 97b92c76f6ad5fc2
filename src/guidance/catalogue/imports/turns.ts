import type { Actor } from '../../../http/caller.ts'

interface WaitingTask {
  readonly actor: Pick<Actor, 'id'>
}

/**
 * Takes the next one out of those who wait. Whoever has nothing under way comes first: the many files of
 * one account hold up nobody else's.
 */
export function takeTurn<T extends WaitingTask>(
  waiting: T[],
  busy: ReadonlySet<Actor['id']>,
): T | undefined {
  const free = waiting.findIndex(({ actor }) => !busy.has(actor.id))
  return waiting.splice(Math.max(0, free), 1)[0]
}
