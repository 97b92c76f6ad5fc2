import { setImmediate } from 'node:timers/promises'

/** Work goes on for so long before others are answered, in milliseconds. */
const TURN_MS = 10

/** Everybody else has their turn before the caller goes on. */
export async function nextTurn(): Promise<void> {
  await setImmediate()
}

/** So many at a time; after each portion, everybody else has their turn. */
export async function* inPortions<T>(items: readonly T[], size: number): AsyncGenerator<readonly T[], void> {
  for (let at = 0; at < items.length; at += size) {
    yield items.slice(at, at + size)
    await nextTurn()
  }
}

/** Long work with pauses in which others are answered. */
export class Pace {
  #begun = performance.now()

  async rest(): Promise<void> {
    if (performance.now() - this.#begun < TURN_MS) return
    await nextTurn()
    this.#begun = performance.now()
  }
}
