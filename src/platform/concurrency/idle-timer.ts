/** Calls a function after each interval without work. */
export class IdleTimer {
  readonly #timer: NodeJS.Timeout
  #working = 0
  #intervals = 0

  /** `onIdle` gets the number of intervals since the last work. */
  constructor(restMs: number, onIdle: (intervals: number) => void) {
    this.#timer = setTimeout(() => {
      this.#timer.refresh()
      if (this.#working > 0) return
      this.#intervals += 1
      onIdle(this.#intervals)
    }, restMs).unref()
  }

  /** Does some work; the interval begins again at its end. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1
    try {
      return await work()
    } finally {
      this.#working -= 1
      this.#intervals = 0
      this.#timer.refresh()
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
