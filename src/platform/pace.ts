import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work goes on for so long before others are answered, in milliseconds. */
const TURN_MS = 10

/** Long work with pauses in which others are answered. */
export class Pace {
  #begun = performance.now()

  async rest(): Promise<void> {
    if (performance.now() - this.#begun < TURN_MS) return
    await nextTurn()
    this.#begun = performance.now()
  }
}
