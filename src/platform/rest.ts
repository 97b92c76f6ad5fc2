/** Tells when there was no work for a while. */
export class Rest {
  readonly #timer: NodeJS.Timeout
  #working = 0

  constructor(restMs: number, tell: () => void) {
    this.#timer = setTimeout(() => {
      if (this.#working === 0) tell()
    }, restMs).unref()
  }

  /** Waits for the end of that work, and then as long again. */
  async after<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1
    try {
      return await work()
    } finally {
      this.#working -= 1
      this.#timer.refresh()
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
