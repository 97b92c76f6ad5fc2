import { setImmediate } from 'node:timers/promises'

/** Long work runs for this long before other requests get their turn, in milliseconds. */
const TURN_MS = 10

/** Lets all other work run before the caller continues. */
export async function nextTurn(): Promise<void> {
  await setImmediate()
}

/** Passes items on one by one, and lets other work run after each. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  for (const item of items) {
    yield item
    await nextTurn()
  }
}

/** Passes items on in portions of a size, and lets other work run in between. */
export async function* inPortions<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[], void> {
  for (let from = 0; from < items.length; from += size) {
    if (from > 0) await nextTurn()
    yield items.slice(from, from + size)
  }
}

/** Pauses of long work in which other work can run. */
export class Pauses {
  #begun = performance.now()

  async rest(): Promise<void> {
    if (performance.now() - this.#begun < TURN_MS) return
    await nextTurn()
    this.#begun = performance.now()
  }
}
