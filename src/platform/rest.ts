/** Tells when there was no work for a while, and again after each further while. */
export class IdleTimer {
  readonly #timer: NodeJS.Timeout
  #working = 0
  #rests = 0

  /** `tell` is told how many times as long it has been. */
  constructor(restMs: number, tell: (rests: number) => void) {
    this.#timer = setTimeout(() => {
      this.#timer.refresh()
      if (this.#working > 0) return
      this.#rests += 1
      tell(this.#rests)
    }, restMs).unref()
  }

  /** Waits for the end of that work, and then as long again. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1
    try {
      return await work()
    } finally {
      this.#working -= 1
      this.#rests = 0
      this.#timer.refresh()
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
